import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog, Question } from '../parts/dialog.js';
import { ActionForm, CheckField, numberIn, TextField } from '../parts/form.js';
import { type Account, api } from '../session/api.js';
import { may } from '../session/session.js';
import { ExportCard } from './export-card.js';
import { count, counted, Facts } from '../parts/values.js';
import { Listing, type Part, Section, useLoad, usePolling, Waiting, WhenLoaded } from '../parts/listing.js';
import { FailureNote } from '../parts/failure.js';

/** The permissions without all of which a key gets no export. */
const EXPORTED = ['batches', 'results', 'lists', 'finder', 'webhooks', 'keys', 'credits', 'suppressions', 'audit'];

/** What a person may ask of whoever holds their address. */
export function PrivacyScreen() {
  const shown = useSignal<string | null>(null);
  const changes = useSignal(0);
  const follow = (id: string) => {
    shown.value = id;
    changes.value += 1;
  };
  return (
    <>
      <h1>Privacy</h1>
      <p>
        What is stored where, and for how long: <a href="/docs/guides/privacy">the guide</a>.
      </p>
      <EraseCard onOrder={follow} />
      <ReceiptsSection shown={shown} changes={changes} />
      {may('batches') && <RetentionCard />}
      {EXPORTED.every(may) && <ExportCard />}
    </>
  );
}

function EraseCard({ onOrder }: { readonly onOrder: (id: string) => void }) {
  const email = useSignal('');
  const suppresses = useSignal(true);
  const isAsked = useSignal(false);
  const ordered = (id: string) => {
    onOrder(id);
    email.value = '';
    isAsked.value = false;
  };
  return (
    <Section id="erase" title="Erase an address" class="card">
      <p>
        It leaves every result, list, body of a webhook and kept verdict of the account. Rows keep their numbers and
        lose what they held. Nothing brings it back.
      </p>
      <ActionForm
        action="Erase"
        class="danger"
        onAct={async () => {
          isAsked.value = true;
        }}
        disabled={email.value.trim() === ''}
      >
        <TextField label="Email address" value={email} maxLength={1000} />
        <CheckField
          label="Keep a hash of it on the suppression list, so that the finder never gives it"
          value={suppresses}
        />
      </ActionForm>
      {isAsked.value && (
        <EraseQuestion
          email={email.value.trim()}
          suppresses={suppresses.value}
          onOrder={ordered}
          onClose={() => (isAsked.value = false)}
        />
      )}
    </Section>
  );
}

interface EraseQuestionProps {
  readonly email: string;
  readonly suppresses: boolean;
  readonly onOrder: (id: string) => void;
  readonly onClose: () => void;
}

function EraseQuestion({ email, suppresses, onOrder, onClose }: EraseQuestionProps) {
  // One for every try, so that a second click orders nothing twice.
  const idempotencyKey = useRef(crypto.randomUUID());
  const erase = async () => {
    const header = { 'Idempotency-Key': idempotencyKey.current };
    const body = { email, suppress: suppresses };
    onOrder((await api.post('/api/v1/erasures', { header, body })).id);
  };
  return (
    <Dialog title="Erase this address?" onClose={onClose}>
      <Question action="Erase for ever" onAct={erase} onClose={onClose}>
        <p class="long">
          <strong>{email}</strong>
        </p>
        <p>
          It leaves everything that the account has, for ever, and{' '}
          {suppresses ? 'a hash of it stays on the suppression list.' : 'leaves the suppression list too.'}
        </p>
      </Question>
    </Dialog>
  );
}

type Settings = Account['schemas']['BatchSettingsReply'];

/** How long lists are kept that do not say it themselves. */
export function RetentionCard() {
  const loaded = useLoad((signal) => api.get('/api/v1/batch-settings', { signal }));
  return (
    <Section id="retention" title="How long lists are kept" class="card">
      <WhenLoaded of={loaded}>{(settings) => <Choice of={settings} onChanged={loaded.reload} />}</WhenLoaded>
    </Section>
  );
}

function Choice({ of: { retention_days: days, max_retention_days: most }, onChanged }: Part<Settings>) {
  const chosen = useSignal(String(days));
  const set = () => api.patch('/api/v1/batch-settings', { body: { retention_days: numberIn(chosen) } });
  return (
    <>
      <p>
        A new list is deleted with every address <strong>{counted(days, 'day')}</strong> after its end, unless it says
        something else when it is sent, or has a schedule. Lists that are there already keep their date.
      </p>
      {may('settings') && (
        <ActionForm action="Set" class="" onAct={set} onDone={onChanged} said="New lists are kept as long as you said.">
          <TextField
            label="Days"
            type="number"
            value={chosen}
            min={1}
            max={most}
            hint={`At most ${most}; empty: as long as the plan lets them.`}
          />
        </ActionForm>
      )}
    </>
  );
}

type Erasure = Account['schemas']['ErasureReply'];

const RELOAD_MS = 1_000;
/** While it waits for batches, which may take hours. */
const QUIET_MS = 5_000;
const STATES: Readonly<Record<Erasure['status'], string>> = {
  working: 'at work',
  waiting: 'waits for batches that run',
  done: 'done',
  failed: 'failed: give the order again',
};

interface ReceiptsProps {
  readonly shown: Signal<string | null>;
  /** Counts what makes the list out of date. */
  readonly changes: Signal<number>;
}

/** The receipts of the account, and the one that is shown. */
function ReceiptsSection({ shown, changes }: ReceiptsProps) {
  return (
    <>
      <div role="status">
        {shown.value !== null && <Receipt id={shown.value} key={shown.value} onEnd={() => (changes.value += 1)} />}
      </div>
      <Section id="erasures" title="Erasures" class="card">
        <Listing
          label="Erasures"
          on={[changes.value]}
          load={(page) => api.get('/api/v1/erasures', page({ limit: 10 }))}
          rows="erasures"
          empty="No address has been erased"
          columns={{
            Ordered: ({ created_at: at }) => new Date(at).toLocaleString(),
            Status: ({ status }) => STATES[status],
            'Rows emptied': ({ erased }) => erased.rows,
            Receipt: ({ id }) => (
              <button type="button" class="quiet small mono" onClick={() => (shown.value = id)}>
                {id}
              </button>
            ),
          }}
        />
      </Section>
    </>
  );
}

/** Followed until it has ended: a large account takes a while. */
function Receipt({ id, onEnd }: { readonly id: string; readonly onEnd: () => void }) {
  const loaded = useLoad((signal) => api.get('/api/v1/erasures/{id}', { path: { id }, signal }), [id]);
  const { data, failure } = loaded;
  const erasure = data.value;
  const isOver = erasure?.status === 'done' || erasure?.status === 'failed';
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOver && wasOpen.current) onEnd();
    wasOpen.current = erasure !== null && !isOver;
  }, [erasure === null, isOver]);
  const isQuiet = erasure?.status === 'waiting' || failure.value !== null;
  const isUnknown = erasure === null && failure.value === null;
  usePolling(loaded, isOver || isUnknown ? null : isQuiet ? QUIET_MS : RELOAD_MS);
  if (erasure === null) return failure.value === null ? <Waiting /> : <FailureNote failure={failure.value} />;
  const { status, erased, batches_left: left } = erasure;
  return (
    <Section id="receipt" title="Receipt" class="card">
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
    </Section>
  );
}
