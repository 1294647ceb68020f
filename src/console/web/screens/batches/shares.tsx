import { percent, count } from '../../parts/figures.js';
import { Empty, Table } from '../../parts/paged-table.js';
import { CountsBar, type VerdictCounts } from '../../parts/verdict-counts.js';

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
      columns={[
        {
          name: heading,
          cell: ({ name }) => (
            <button type="button" class="quiet small wrap" onClick={() => onPick(name)}>
              {name}
            </button>
          ),
        },
        { name: 'Rows', cell: (one) => count(one.rows), isNumber: true },
        ...columns.map(([title, of]) => ({
          name: title,
          cell: (one: SharesProps['rows'][number]) => percent(of(one.counts) / one.rows),
          isNumber: true,
        })),
        { name: 'Verdicts', cell: (one) => <CountsBar counts={one.counts} total={one.rows} /> },
      ]}
    />
  );
}
