import { count, percent } from './figures.js';
import { Table } from './paged-table.js';

export const VERDICTS = ['valid', 'risky', 'unknown', 'invalid'] as const;
export type Verdict = (typeof VERDICTS)[number];
export type VerdictCounts = Readonly<Partial<Record<Verdict, number>>>;

/** Shares as a bar; the figures stand beside it, for those who see no colours or no bar. */
export function CountsBar({ counts, total }: { readonly counts: VerdictCounts; readonly total: number }) {
  return (
    <div class="bar" aria-hidden="true">
      {VERDICTS.map((verdict) => {
        const share = total === 0 ? 0 : (counts[verdict] ?? 0) / total;
        return share === 0 ? null : <span key={verdict} class={verdict} style={{ width: `${share * 100}%` }} />;
      })}
    </div>
  );
}

interface CountsTableProps {
  readonly counts: VerdictCounts;
  readonly total: number;
  readonly label: string;
  /** What a click on a verdict does; without it there is nothing to click. */
  readonly onPick?: (verdict: Verdict) => void;
}

export function CountsTable({ counts, total, label, onPick }: CountsTableProps) {
  return (
    <Table
      label={label}
      keyOf={(verdict) => verdict}
      rows={VERDICTS}
      columns={[
        {
          name: 'Verdict',
          cell: (verdict) => <PickButton onPick={onPick && (() => onPick(verdict))} verdict={verdict} />,
        },
        { name: 'Rows', cell: (verdict) => count(counts[verdict] ?? 0), isNumber: true },
        { name: 'Share', cell: (verdict) => percent((counts[verdict] ?? 0) / total), isNumber: true },
      ]}
    />
  );
}

interface PickButtonProps {
  readonly verdict: Verdict;
  readonly onPick: (() => void) | undefined;
}

function PickButton({ verdict, onPick }: PickButtonProps) {
  const badge = <span class={`badge ${verdict}`}>{verdict}</span>;
  if (onPick === undefined) return badge;
  return (
    <button type="button" class="quiet small" aria-label={`Only ${verdict} rows`} onClick={onPick}>
      {badge}
    </button>
  );
}
