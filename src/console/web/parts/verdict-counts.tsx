import { percent } from './values.js';
import { figure, Table } from './listing.js';

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
      columns={{
        Verdict: (verdict) => <PickButton onPick={onPick && (() => onPick(verdict))} verdict={verdict} />,
        Rows: (verdict) => counts[verdict] ?? 0,
        Share: (verdict) => figure(percent((counts[verdict] ?? 0) / total)),
      }}
    />
  );
}

function PickButton({ verdict, onPick }: { readonly verdict: Verdict; readonly onPick: (() => void) | undefined }) {
  const badge = <span class={`badge ${verdict}`}>{verdict}</span>;
  if (onPick === undefined) return badge;
  return (
    <button type="button" class="quiet small" aria-label={`Only ${verdict} rows`} onClick={onPick}>
      {badge}
    </button>
  );
}
