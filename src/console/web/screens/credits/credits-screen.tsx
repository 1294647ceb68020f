import { Facts } from '../../parts/facts.js';
import { FailureNote } from '../../parts/failure.js';
import { count } from '../../parts/figures.js';
import { useLoad } from '../../parts/load.js';
import { Waiting } from '../../parts/paged-table.js';
import { api, take } from '../../shell/api.js';
import { LedgerSection } from './ledger-section.js';
import { UsageSection } from './usage-section.js';

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
