import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Facts } from '../parts/facts.js';
import { FailureNote } from '../parts/failure.js';
import { count, counted } from '../parts/figures.js';
import { useLoad } from '../parts/load.js';
import { Empty, PagedTable, Waiting } from '../parts/paged-table.js';
import { type Account, api, take } from '../session/api.js';

type Erasure = Account['schemas']['ErasureReply'];

const LOOK_AGAIN_MS = 1_000;
/** While it waits for batches, which may take hours. */
const QUIET_MS = 5_000;
const STATES: Readonly<Record<Erasure['status'], string>> = {
  working: 'at work',
  waiting: 'waits for batches that run',
  done: 'done',
  failed: 'failed: give the order again',
};

const find = (id: string, signal?: AbortSignal): Promise<Erasure> =>
  take(api.GET('/api/v1/erasures/{id}', { params: { path: { id } }, signal }));

interface ReceiptsProps {
  readonly shown: Signal<string | null>;
  /** Counts what makes the list out of date. */
  readonly changes: Signal<number>;
}

/** The receipts of the account, and the one that is shown. */
export function ReceiptsSection({ shown, changes }: ReceiptsProps) {
  return (
    <>
      <div role="status">
        {shown.value !== null && <Receipt id={shown.value} key={shown.value} onEnd={() => (changes.value += 1)} />}
      </div>
      <section class="card" aria-labelledby="erasures">
        <h2 id="erasures">Erasures</h2>
        <PagedTable
          label="Erasures"
          on={[changes.value]}
          load={(cursor, signal) =>
            take(api.GET('/api/v1/erasures', { params: { query: { limit: 10, cursor } }, signal }))
          }
          rows={(page) => page.erasures}
          keyOf={({ id }) => id}
          empty={<Empty title="No address has been erased" />}
          columns={[
            { name: 'Ordered', cell: ({ created_at: at }) => new Date(at).toLocaleString() },
            { name: 'Status', cell: ({ status }) => STATES[status] },
            { name: 'Rows emptied', isNumber: true, cell: ({ erased }) => count(erased.rows) },
            {
              name: 'Receipt',
              cell: ({ id }) => (
                <button type="button" class="quiet small mono" onClick={() => (shown.value = id)}>
                  {id}
                </button>
              ),
            },
          ]}
        />
      </section>
    </>
  );
}

/** Followed until it has ended: a large account takes a while. */
function Receipt({ id, onEnd }: { readonly id: string; readonly onEnd: () => void }) {
  const { data, failure, reload } = useLoad((signal) => find(id, signal), [id]);
  const erasure = data.value;
  const isOver = erasure?.status === 'done' || erasure?.status === 'failed';
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOver && wasOpen.current) onEnd();
    wasOpen.current = erasure !== null && !isOver;
  }, [erasure === null, isOver]);
  useEffect(() => {
    if (isOver || (erasure === null && failure.value === null)) return undefined;
    const isQuiet = erasure?.status === 'waiting' || failure.value !== null;
    const timer = setTimeout(() => void reload(), isQuiet ? QUIET_MS : LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [erasure, failure.value]);
  if (erasure === null) return failure.value === null ? <Waiting /> : <FailureNote failure={failure.value} />;
  const { status, erased, batches_left: left } = erasure;
  return (
    <section class="card" aria-labelledby="receipt">
      <h2 id="receipt">Receipt</h2>
      <Facts
        of={{
          Number: <code>{id}</code>,
          State: STATES[status],
          'Batches left to look through': isOver ? null : count(left),
          'Rows emptied': `${count(erased.rows)} in ${counted(erased.batches, 'batch or list', 'batches and lists')}`,
          'Bodies and replies of webhooks': count(erased.webhook_bodies + erased.webhook_replies),
          'Kept replies and verdicts': count(erased.kept_replies + erased.kept_verdicts),
        }}
      />
      <FailureNote failure={failure.value} />
      <p class="hint">It never holds the address: keep it as a proof that the order was carried out.</p>
    </section>
  );
}
