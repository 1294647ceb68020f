import { count, percent } from '../../parts/figures.js';
import { FailureNote } from '../../parts/failure.js';
import type { Loaded } from '../../parts/load.js';
import { Empty, Table, Waiting } from '../../parts/paged-table.js';
import { CountsBar } from '../../parts/verdict-counts.js';
import type { Account } from '../../shell/api.js';

export type Summary = Account['schemas']['BatchSummaryReply'];

interface BatchSummaryProps {
  readonly summary: Loaded<Summary | null>;
  readonly onReason: (reason: string) => void;
}

/** Why the verdicts are as they are, and whose addresses they are. */
export function BatchSummary({ summary: { data, failure }, onReason }: BatchSummaryProps) {
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
          keyOf={({ reason }) => reason}
          columns={[
            {
              name: 'Reason',
              cell: ({ reason }) => (
                <button type="button" class="quiet small" onClick={() => onReason(reason)}>
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
            rows={providers.map(({ provider, ...rest }) => ({ name: provider ?? 'others', ...rest }))}
          />
        </section>
      </div>
    </>
  );
}

interface SharesProps {
  readonly label: string;
  readonly name: string;
  readonly rows: readonly {
    readonly name: string;
    readonly rows: number;
    readonly counts: Summary['domains'][number]['counts'];
  }[];
}

function Shares({ label, name: heading, rows }: SharesProps) {
  if (rows.length === 0) return <Empty title="None" />;
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { name: heading, cell: ({ name }) => <span class="wrap">{name}</span> },
        { name: 'Rows', cell: (one) => count(one.rows), isNumber: true },
        { name: 'Valid', cell: (one) => percent(one.counts.valid / one.rows), isNumber: true },
        { name: 'Invalid', cell: (one) => percent(one.counts.invalid / one.rows), isNumber: true },
        { name: 'Verdicts', cell: (one) => <CountsBar counts={one.counts} total={one.rows} /> },
      ]}
    />
  );
}
