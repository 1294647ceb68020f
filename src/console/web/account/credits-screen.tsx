import { useSignal } from '@preact/signals';
import { count, Facts, Time } from '../parts/values.js';
import { FailureNote } from '../parts/failure.js';
import { figure, Listing, Section, useLoad, Waiting } from '../parts/listing.js';
import { api } from '../session/api.js';
import { UsageSection } from './usage.js';
import { SelectField, TextField } from '../parts/form.js';
import { useKeyNames } from '../session/key-names.js';
import { session } from '../session/session.js';

/** What is left, what it went on, and every entry of the ledger. */
export function CreditsScreen() {
  return (
    <>
      <h1>Credits and usage</h1>
      <Balance />
      <UsageSection />
      <LedgerSection />
    </>
  );
}

function Balance() {
  const { data, failure } = useLoad((signal) => api.get('/api/v1/credits', { signal }));
  if (failure.value !== null) return <FailureNote failure={failure.value} />;
  if (data.value === null) return <Waiting />;
  const { remaining, reserved, used_total: used, plan, low } = data.value;
  return (
    <div class="card">
      {low && <p class="note">The balance is low: work that costs more than is left is refused.</p>}
      <Facts
        of={{
          Left: <strong>{count(remaining)}</strong>,
          'Reserved for work that runs': count(reserved),
          'Used so far': count(used),
          Plan: plan,
        }}
      />
    </div>
  );
}

const KINDS = ['charge', 'reserve', 'release', 'grant', 'adjust'] as const;
type Kind = '' | (typeof KINDS)[number];

const PATH = '/api/v1/credits/history';

/** Every entry that changed the balance, or those that somebody looks for. */
export function LedgerSection() {
  const kind = useSignal<Kind>('');
  const key = useSignal('');
  const batch = useSignal('');
  const from = useSignal('');
  const to = useSignal('');
  const keys = useKeyNames();
  const asked = { kind: kind.value, key_id: key.value, batch_id: batch.value, from: from.value, to: to.value };
  const chosen = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''));
  // The service reads the text of a query by itself, and refuses what is no number of a list.
  const filter = chosen as { kind?: string; key_id?: string; batch_id?: number; from?: string; to?: string };
  const isFiltered = Object.keys(chosen).length > 0;
  return (
    <Section id="ledger" title="Ledger">
      <p class="hint">
        Every entry that changed the balance; none is ever changed or deleted. Work takes what it may cost first
        (reserve), and gives back what it did not cost (release).
      </p>
      <div class="row">
        <SelectField label="Entry" value={kind} options={[['', 'All'], ...KINDS]} />
        {keys.size > 0 && <SelectField label="Key" value={key} options={[['', 'All'], ...keys]} />}
        <TextField label="Number of the list" type="number" value={batch} min={1} />
        <TextField label="Entries from (UTC)" type="date" value={from} max={to.value} />
        <TextField label="Entries to (UTC)" type="date" value={to} min={from.value} />
      </div>
      <Listing
        label="Ledger"
        on={Object.values(asked)}
        load={(page) => api.get(PATH, page(filter))}
        rows="entries"
        keyOf={(entry) => `${entry.created_at} ${entry.kind} ${entry.balance_after} ${entry.amount}`}
        empty={isFiltered ? 'No entry is like what you look for' : nothingYet()}
        columns={{
          When: (entry) => <Time at={entry.created_at} />,
          Entry: (entry) => entry.kind,
          For: (entry) =>
            entry.batch_id === null ? (
              entry.what_for
            ) : (
              <a href={`/console/batches/${entry.batch_id}`}>{entry.what_for}</a>
            ),
          Key: (entry) => (entry.key_id === null ? '–' : (keys.get(entry.key_id) ?? 'another key')),
          Amount: (entry) => figure(signed(entry.amount)),
          Balance: (entry) => entry.balance_after,
        }}
      />
      <p>
        <a href={`${PATH}?${new URLSearchParams({ ...chosen, format: 'csv' })}`} download="ledger.csv">
          Download {isFiltered ? 'these entries' : 'the ledger'} as CSV
        </a>
      </p>
    </Section>
  );
}

/** Tests are not in the ledger, and a test key is shown nothing of what live keys were charged. */
const nothingYet = (): string =>
  session.value?.simulated === true
    ? 'A test key is charged nothing. The ledger shows when you sign in with a live key.'
    : 'Nothing has changed the balance yet';

const signed = (amount: number): string => (amount > 0 ? `+${count(amount)}` : count(amount));
