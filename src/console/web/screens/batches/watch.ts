import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { announce } from '../../parts/announcer.js';
import { type Loaded, useLoad } from '../../parts/load.js';
import { api, take } from '../../shell/api.js';
import { type Batch, moves } from './state-name.js';

/** While something moves, and while it only waits, such as for greylisting. */
const MOVING_MS = 1_000;
const QUIET_MS = 5_000;
/** The time over which rows a second are counted. */
const RATE_MS = 10_000;

interface Seen {
  readonly at: number;
  readonly processed: number;
}

export interface Watched extends Loaded<Batch> {
  /** Rows a second of the last seconds; null until that is known. */
  readonly rate: number | null;
}

/** A batch as it is now: asked often while it moves, seldom while it waits, not at all while nobody looks. */
export function useBatch(id: number): Watched {
  const seen = useSignal<readonly Seen[]>([]);
  const loaded = useLoad(
    (signal) => take(api.GET('/api/v1/verify/batch/{id}', { params: { path: { id } }, signal })),
    [id],
  );
  const batch = loaded.data.value;
  useEffect(() => {
    if (batch === null) return undefined;
    const now = performance.now();
    const isMoving = seen.value.at(-1)?.processed !== batch.processed;
    seen.value = [...seen.value.filter(({ at }) => now - at < RATE_MS), { at: now, processed: batch.processed }];
    if (!moves(batch.status)) {
      if (seen.value.length > 1) announce(`The list is ${batch.status}.`);
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      if (!document.hidden) void loaded.reload();
    };
    const arm = () => {
      clearTimeout(timer);
      if (document.hidden) return;
      timer = setTimeout(ask, isMoving ? MOVING_MS : QUIET_MS);
    };
    arm();
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [batch]);
  const [first] = seen.value;
  const last = seen.value.at(-1);
  const seconds = first && last ? (last.at - first.at) / 1000 : 0;
  return { ...loaded, rate: seconds > 1 ? (last!.processed - first!.processed) / seconds : null };
}
