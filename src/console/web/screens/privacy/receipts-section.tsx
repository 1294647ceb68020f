import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ActionForm } from '../../parts/action.js';
import { Facts } from '../../parts/facts.js';
import { FailureNote } from '../../parts/failure.js';
import { TextField } from '../../parts/field.js';
import { count, counted } from '../../parts/figures.js';
import { useLoad } from '../../parts/load.js';
import { Waiting } from '../../parts/paged-table.js';
import { type Account, api, take } from '../../shell/api.js';
import { keepReceipt, receipts } from './receipts.js';

type Erasure = Account['schemas']['ErasureReply'];

const LOOK_AGAIN_MS = 1_000;
/** While it waits for batches, which may take hours. */
const QUIET_MS = 5_000;
const STATES: Readonly<Record<Erasure['status'], string>> = {
  working: 'at work',
  waiting: 'waits for batches that are held or run',
  done: 'done',
  failed: 'failed: give the order again',
};

const find = (id: string, signal?: AbortSignal): Promise<Erasure> =>
  take(api.GET('/api/v1/erasures/{id}', { params: { path: { id } }, signal }));

/** The receipts of this tab, and any other by its number. */
export function ReceiptsSection({ shown }: { readonly shown: Signal<string | null> }) {
  const number = useSignal('');
  const look = async () => {
    const { id } = await find(number.value.trim());
    keepReceipt(id);
    shown.value = id;
    number.value = '';
  };
  return (
    <>
      <div role="status">{shown.value !== null && <Receipt id={shown.value} key={shown.value} />}</div>
      <section class="card" aria-labelledby="erasures">
        <h2 id="erasures">Erasures so far</h2>
        {receipts.value.length > 0 && (
          <>
            <p>Ordered or looked up in this tab; with the tab the numbers are gone, so keep them.</p>
            <ul>
              {receipts.value.map((id) => (
                <li key={id}>
                  <button type="button" class="quiet small mono" onClick={() => (shown.value = id)}>
                    {id}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
        <ActionForm action="Look it up" class="small" onAct={look} disabled={number.value.trim() === ''}>
          <TextField label="Number of an erasure" value={number} maxLength={100} />
        </ActionForm>
      </section>
    </>
  );
}

/** Followed until it has ended: a large account takes a while. */
function Receipt({ id }: { readonly id: string }) {
  const { data, failure, reload } = useLoad((signal) => find(id, signal), [id]);
  const erasure = data.value;
  const isOver = erasure?.status === 'done' || erasure?.status === 'failed';
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
        of={[
          ['Number', <code key="id">{id}</code>],
          ['State', STATES[status]],
          isOver ? null : ['Batches left to look through', count(left)],
          ['Rows emptied', `${count(erased.rows)} in ${counted(erased.batches, 'batch or list', 'batches and lists')}`],
          ['Bodies and replies of webhooks', count(erased.webhook_bodies + erased.webhook_replies)],
          ['Kept replies and verdicts', count(erased.kept_replies + erased.kept_verdicts)],
        ]}
      />
      <FailureNote failure={failure.value} />
      <p class="hint">It never holds the address: keep it as a proof that the order was carried out.</p>
    </section>
  );
}
