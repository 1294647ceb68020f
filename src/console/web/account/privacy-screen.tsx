import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ActionForm } from '../parts/action.js';
import { Question } from '../parts/dialog.js';
import { CheckField, TextField } from '../parts/field.js';
import { type Account, api, take } from '../session/api.js';
import { may } from '../session/session.js';
import { ExportCard } from './export-card.js';
import { ReceiptsSection } from './receipts-section.js';
import { announce } from '../parts/announcer.js';
import { counted } from '../parts/figures.js';
import { useLoad } from '../parts/load.js';
import { WhenLoaded } from '../parts/paged-table.js';

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
    <section class="card" aria-labelledby="erase">
      <h2 id="erase">Erase an address</h2>
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
    </section>
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
    onOrder((await take(api.POST('/api/v1/erasures', { params: { header }, body }))).id);
  };
  return (
    <Question title="Erase this address?" action="Erase for ever" onAct={erase} onClose={onClose}>
      <p class="long">
        <strong>{email}</strong>
      </p>
      <p>
        It leaves everything that the account has, for ever, and{' '}
        {suppresses ? 'a hash of it stays on the suppression list.' : 'leaves the suppression list too.'}
      </p>
    </Question>
  );
}

type Settings = Account['schemas']['BatchSettingsReply'];

/** How long lists are kept that do not say it themselves. */
export function RetentionCard() {
  const loaded = useLoad((signal) => take(api.GET('/api/v1/batch-settings', { signal })));
  return (
    <section class="card" aria-labelledby="retention">
      <h2 id="retention">How long lists are kept</h2>
      <WhenLoaded of={loaded}>{(settings) => <Choice of={settings} onSet={loaded.reload} />}</WhenLoaded>
    </section>
  );
}

interface ChoiceProps {
  readonly of: Settings;
  readonly onSet: () => Promise<void>;
}

function Choice({ of: { retention_days: days, max_retention_days: most }, onSet }: ChoiceProps) {
  const chosen = useSignal(String(days));
  const set = async () => {
    const body = { retention_days: chosen.value.trim() === '' ? null : Number(chosen.value) };
    await take(api.PATCH('/api/v1/batch-settings', { body }));
    await onSet();
    announce('New lists are kept as long as you said.');
  };
  return (
    <>
      <p>
        A new list is deleted with every address <strong>{counted(days, 'day')}</strong> after its end, unless it says
        something else when it is sent, or has a schedule. Lists that are there already keep their date.
      </p>
      {may('settings') && (
        <ActionForm action="Set" class="" onAct={set}>
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
