import { count, percent } from '../../parts/figures.js';
import { FailureNote } from '../../parts/failure.js';
import type { Loaded } from '../../parts/load.js';
import { Empty, Table, Waiting } from '../../parts/paged-table.js';
import { CountsBar } from '../../parts/verdict-counts.js';
import type { Account } from '../../shell/api.js';
import { NO_PROVIDER, OTHERS, type RowFilter } from './row-filter.js';
import { Shares, VALID_AND_INVALID } from './shares.js';

export type Summary = Account['schemas']['BatchSummaryReply'];

interface BatchSummaryProps {
  readonly summary: Loaded<Summary | null>;
  /** What a click on a reason, a domain or a mail operator does. */
  readonly onPick: (one: Partial<RowFilter>) => void;
  readonly columns?: typeof VALID_AND_INVALID;
}

/** Why the verdicts are as they are, and whose addresses they are. */
export function BatchSummary({ summary: { data, failure }, onPick, columns = VALID_AND_INVALID }: BatchSummaryProps) {
  if (failure.value !== null) return <FailureNote failure={failure.value} />;
  const summary = data.value;
  if (summary === null) return <Waiting />;
  const { processed, reasons, domains, domains_total: all, providers } = summary;
  if (processed === 0) return <Empty title="No row is answered" />;
  return (
    <>
      <section aria-labelledby="reasons">
        <h2 id="reasons">Reasons</h2>
        <Table
          label="Reasons"
          rows={reasons}
          keyOf={({ reason, verdict }) => `${reason} ${verdict}`}
          columns={[
            {
              name: 'Reason',
              cell: ({ reason, verdict }) => (
                <button type="button" class="quiet small" onClick={() => onPick({ reason, verdict })}>
                  {reason.replaceAll('_', ' ')}
                </button>
              ),
            },
            { name: 'Verdict', cell: ({ verdict }) => <span class={`badge ${verdict}`}>{verdict}</span> },
            { name: 'Rows', cell: ({ rows }) => count(rows), isNumber: true },
            { name: 'Share', cell: ({ rows }) => percent(rows / processed), isNumber: true },
            { name: '', cell: ({ verdict, rows }) => <CountsBar counts={{ [verdict]: rows }} total={processed} /> },
          ]}
        />
      </section>
      <div class="columns">
        <section aria-labelledby="domains">
          <h2 id="domains">Domains</h2>
          <Shares
            label="Domains"
            name="Domain"
            rows={domains.map(({ domain, ...rest }) => ({ name: domain, ...rest }))}
            columns={columns}
            onPick={(domain) => onPick({ domain })}
          />
          {all > domains.length && (
            <p class="hint">
              The {domains.length} with the most rows, of {count(all)}.
            </p>
          )}
        </section>
        <section aria-labelledby="providers">
          <h2 id="providers">Mail operators</h2>
          <Shares
            label="Mail operators"
            name="Mail operator"
            rows={providers.map(({ provider, ...rest }) => ({ name: provider ?? OTHERS, ...rest }))}
            columns={columns}
            onPick={(name) => onPick({ provider: name === OTHERS ? NO_PROVIDER : name })}
          />
        </section>
      </div>
    </>
  );
}
