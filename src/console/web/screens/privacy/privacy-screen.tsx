import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ActionForm } from '../../parts/action.js';
import { Facts } from '../../parts/facts.js';
import { CheckField, TextField } from '../../parts/field.js';
import { count } from '../../parts/figures.js';
import { type Account, api, take } from '../../shell/api.js';
import { may } from '../../shell/session.js';
import { ExportCard } from './export-card.js';
import { RetentionCard } from './retention-card.js';

type Erasure = Account['schemas']['ErasureReply'];

/** The permissions without all of which a key gets no export. */
const EXPORTED = ['batches', 'results', 'lists', 'finder', 'webhooks', 'keys', 'credits', 'suppressions', 'audit'];
const LOOK_AGAIN_MS = 1_000;
const STATES: Readonly<Record<Erasure['status'], string>> = {
  working: 'at work',
  waiting: 'waits for batches that still run',
  done: 'done',
  failed: 'failed: give the order again',
};

/** What a person may ask of whoever holds their address. */
export function PrivacyScreen() {
  const erasure = useSignal<Erasure | null>(null);
  return (
    <>
      <h1>Privacy</h1>
      <p>
        What is stored where, and for how long: <a href="/docs/guides/privacy">the guide</a>.
      </p>
      <EraseCard onOrder={(ordered) => (erasure.value = ordered)} />
      <div role="status">{erasure.value !== null && <Receipt of={erasure.value} key={erasure.value.id} />}</div>
      {may('batches') && <RetentionCard />}
      {EXPORTED.every(may) && <ExportCard />}
    </>
  );
}

function EraseCard({ onOrder }: { readonly onOrder: (erasure: Erasure) => void }) {
  const email = useSignal('');
  const suppresses = useSignal(true);
  const erase = async () => {
    const body = { email: email.value.trim(), suppress: suppresses.value };
    onOrder(await take(api.POST('/api/v1/erasures', { body })));
    email.value = '';
  };
  return (
    <section class="card" aria-labelledby="erase">
      <h2 id="erase">Erase an address</h2>
      <p>
        It leaves every result, list, body of a webhook and kept verdict of the account. Rows keep their numbers and
        lose what they held. Nothing brings it back.
      </p>
      <ActionForm action="Erase" class="danger" onAct={erase} disabled={email.value.trim() === ''}>
        <TextField label="Email address" value={email} maxLength={1000} />
        <CheckField
          label="Keep a hash of it on the suppression list, so that the finder never gives it"
          isChecked={suppresses.value}
          onChange={(isChecked) => (suppresses.value = isChecked)}
        />
      </ActionForm>
    </section>
  );
}

/** Followed until it has ended: a large account takes a while. */
function Receipt({ of }: { readonly of: Erasure }) {
  const current = useSignal(of);
  const { id, status, erased, batches_left: left } = current.value;
  const isOver = status === 'done' || status === 'failed';
  useEffect(() => {
    if (isOver) return undefined;
    const look = async () => {
      current.value = await take(api.GET('/api/v1/erasures/{id}', { params: { path: { id } } }));
    };
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [id, isOver]);
  return (
    <section class="card" aria-labelledby="receipt">
      <h2 id="receipt">Receipt</h2>
      <Facts
        of={[
          ['Number', <code key="id">{id}</code>],
          ['State', STATES[status]],
          isOver ? null : ['Batches left to look through', count(left)],
          ['Rows emptied', `${count(erased.rows)} in ${count(erased.batches)} batches and lists`],
          ['Bodies and replies of webhooks', count(erased.webhook_bodies + erased.webhook_replies)],
          ['Kept replies and verdicts', count(erased.kept_replies + erased.kept_verdicts)],
        ]}
      />
      <p class="hint">It never holds the address: keep it as a proof that the order was carried out.</p>
    </section>
  );
}
