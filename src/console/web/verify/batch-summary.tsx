import { count, percent } from '../parts/values.js';
import { FailureNote } from '../parts/failure.js';
import { Empty, figure, type Loaded, Section, Table, Waiting } from '../parts/listing.js';
import { reasonName } from '../parts/verification.js';
import { CountsBar, type VerdictCounts } from '../parts/verdict-counts.js';
import { NO_PROVIDER, OTHERS, type RowFilter, type Summary } from './row-filters.js';

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
      <Section id="reasons" title="Reasons">
        <Table
          label="Reasons"
          rows={reasons}
          keyOf={({ reason, verdict }) => `${reason} ${verdict}`}
          columns={{
            Reason: ({ reason, verdict }) => (
              <button type="button" class="quiet small" onClick={() => onPick({ reason, verdict })}>
                {reasonName(reason)}
              </button>
            ),
            Verdict: ({ verdict }) => <span class={`badge ${verdict}`}>{verdict}</span>,
            Rows: ({ rows }) => rows,
            Share: ({ rows }) => figure(percent(rows / processed)),
            '': ({ verdict, rows }) => <CountsBar counts={{ [verdict]: rows }} total={processed} />,
          }}
        />
      </Section>
      <div class="columns">
        <Section id="domains" title="Domains">
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
        </Section>
        <Section id="providers" title="Mail operators">
          <Shares
            label="Mail operators"
            name="Mail operator"
            rows={providers.map(({ provider, ...rest }) => ({ name: provider ?? OTHERS, ...rest }))}
            columns={columns}
            onPick={(name) => onPick({ provider: name === OTHERS ? NO_PROVIDER : name })}
          />
        </Section>
      </div>
    </>
  );
}

interface SharesProps {
  readonly label: string;
  readonly name: string;
  readonly rows: readonly { readonly name: string; readonly rows: number; readonly counts: VerdictCounts }[];
  /** The verdicts whose shares stand in columns of their own. */
  readonly columns: readonly (readonly [name: string, share: (counts: VerdictCounts) => number])[];
  /** What a click on a name does. */
  readonly onPick: (name: string) => void;
}

export const VALID_AND_INVALID: SharesProps['columns'] = [
  ['Valid', ({ valid = 0 }) => valid],
  ['Invalid', ({ invalid = 0 }) => invalid],
];

/** Whose addresses they are, and what came out for each; a click shows the rows of one. */
export function Shares({ label, name: heading, rows, columns, onPick }: SharesProps) {
  if (rows.length === 0) return <Empty title="None" />;
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={({ name }) => name}
      columns={{
        [heading]: ({ name }) => (
          <button type="button" class="quiet small wrap" onClick={() => onPick(name)}>
            {name}
          </button>
        ),
        Rows: (one) => one.rows,
        ...Object.fromEntries(
          columns.map(([title, of]) => [
            title,
            (one: SharesProps['rows'][number]) => figure(percent(of(one.counts) / one.rows)),
          ]),
        ),
        Verdicts: (one) => <CountsBar counts={one.counts} total={one.rows} />,
      }}
    />
  );
}
