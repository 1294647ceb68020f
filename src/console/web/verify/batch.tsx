import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { percent } from '../parts/values.js';
import { type Account, api } from '../session/api.js';
import { announce } from '../parts/announcer.js';
import { type Loaded, useLoad, usePolling } from '../parts/listing.js';

export type Batch = Account['schemas']['BatchReply'];
export type BatchStatus = Batch['status'];

const NAMES: Readonly<Record<BatchStatus, string>> = {
  held: 'Waits for you to start it',
  queued: 'Waits for its turn',
  processing: 'Running',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const MOVING: readonly BatchStatus[] = ['queued', 'processing'];

/** Whether something will change without anybody doing anything. */
export const moves = (status: BatchStatus): boolean => MOVING.includes(status);

interface StateNameProps {
  readonly status: BatchStatus;
  /** The share of the rows that are answered, 0 to 1. */
  readonly progress: number;
}

export function StateName({ status, progress }: StateNameProps) {
  return <>{stateName({ status, progress })}</>;
}

/** Of a list, and of a search for many people. */
export const stateName = ({ status, progress }: StateNameProps): string =>
  status === 'processing' ? `${NAMES[status]}, ${percent(progress)}` : NAMES[status];

/** While something moves, and while it only waits, such as for greylisting. */
const MOVING_MS = 1_000;
const QUIET_MS = 5_000;
/** The time over which rows a second are counted. */
const RATE_MS = 10_000;

interface BatchView {
  readonly at: number;
  readonly processed: number;
}

export interface Watched extends Loaded<Batch> {
  /** Rows a second of the last seconds; null until that is known. */
  readonly rate: number | null;
}

/** A batch as it is now: asked often while it moves, seldom while it waits, not at all while nobody looks. */
export function useBatch(id: number): Watched {
  const seen = useSignal<readonly BatchView[]>([]);
  const loaded = useLoad((signal) => api.get('/api/v1/verify/batch/{id}', { path: { id }, signal }), [id]);
  const batch = loaded.data.value;
  useEffect(() => {
    if (batch === null) return;
    const now = performance.now();
    seen.value = [...seen.value.filter(({ at }) => now - at < RATE_MS), { at: now, processed: batch.processed }];
    if (!moves(batch.status) && seen.value.length > 1) announce(`The list is ${batch.status}.`);
  }, [batch]);
  const isMoving = seen.value.at(-1)?.processed !== seen.value.at(-2)?.processed;
  usePolling(loaded, batch === null || !moves(batch.status) ? null : isMoving ? MOVING_MS : QUIET_MS);
  const [first] = seen.value;
  const last = seen.value.at(-1);
  const seconds = first && last ? (last.at - first.at) / 1000 : 0;
  return { ...loaded, rate: seconds > 1 ? (last!.processed - first!.processed) / seconds : null };
}
