import { Facts } from '../../parts/facts.js';
import { FailureNote } from '../../parts/failure.js';
import { count } from '../../parts/figures.js';
import { useLoad } from '../../parts/load.js';
import { Empty, PagedTable, Waiting } from '../../parts/paged-table.js';
import { Time } from '../../parts/time.js';
import { api, take } from '../../shell/api.js';
import { linkTo } from '../../shell/routes.js';
import { UsageSection } from './usage-section.js';

/** What is left, what it went on, and every entry of the ledger. */
export function CreditsScreen() {
  return (
    <>
      <h1>Credits and usage</h1>
      <Balance />
      <UsageSection />
      <h2>Ledger</h2>
      <p class="hint">
        Every entry that changed the balance; none is ever changed or deleted. Work takes what it may cost first
        (reserve), and gives back what it did not cost (release).
      </p>
      <PagedTable
        label="Ledger"
        load={async (cursor, signal) => {
          const page = await take(api.GET('/api/v1/credits/history', { params: { query: { cursor } }, signal }));
          return { rows: page.entries, nextCursor: page.next_cursor };
        }}
        keyOf={(entry) => `${entry.created_at} ${entry.kind} ${entry.balance_after} ${entry.amount}`}
        empty={<Empty title="Nothing has changed the balance yet" />}
        columns={[
          { name: 'When', cell: (entry) => <Time at={entry.created_at} /> },
          { name: 'Entry', cell: (entry) => entry.kind },
          {
            name: 'For',
            cell: (entry) =>
              entry.batch_id === null ? (
                entry.what_for
              ) : (
                <a href={linkTo(`/batches/${entry.batch_id}`)}>{entry.what_for}</a>
              ),
          },
          { name: 'Amount', cell: (entry) => signed(entry.amount), isNumber: true },
          { name: 'Balance', cell: (entry) => count(entry.balance_after), isNumber: true },
        ]}
      />
    </>
  );
}

export const signed = (amount: number): string => (amount > 0 ? `+${count(amount)}` : count(amount));

function Balance() {
  const { data, failure } = useLoad((signal) => take(api.GET('/api/v1/credits', { signal })));
  if (failure.value !== null) return <FailureNote failure={failure.value} />;
  if (data.value === null) return <Waiting />;
  const { remaining, reserved, used_total: used, plan, low } = data.value;
  return (
    <div class="card">
      {low && <p class="note">The balance is low: work that costs more than is left is refused.</p>}
      <Facts
        of={[
          ['Left', <strong key="left">{count(remaining)}</strong>],
          ['Reserved for work that runs', count(reserved)],
          ['Used so far', count(used)],
          ['Plan', plan],
        ]}
      />
    </div>
  );
}
