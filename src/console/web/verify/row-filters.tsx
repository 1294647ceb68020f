import type { Account } from '../session/api.js';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { SelectField, TextField } from '../parts/form.js';
import { wordsIn } from '../parts/pasted-words.js';
import { count } from '../parts/values.js';
import { reasonName } from '../parts/verification.js';
import { type VerdictCounts, VERDICTS } from '../parts/verdict-counts.js';

export type Summary = Account['schemas']['BatchSummaryReply'];

/** Which rows are shown and downloaded, as the API takes it; empty: all. */
export interface RowFilter {
  readonly verdict: string;
  readonly reason: string;
  readonly domain: string;
  readonly provider: string;
}

export const ALL_ROWS: RowFilter = { verdict: '', reason: '', domain: '', provider: '' };

/** What the API calls the mail operators that have no name there, and what a person reads. */
export const NO_PROVIDER = 'none';
export const OTHERS = 'others';

/** The members that leave rows out. */
export function queryOf(filter: RowFilter): Partial<RowFilter> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** Such as `Only rows of two.com that are mailbox full`. */
export function sentenceOf({ verdict, reason, domain, provider }: RowFilter): string {
  const who = domain || (provider === NO_PROVIDER ? 'other mail operators' : provider);
  const what = (reason || verdict).replaceAll('_', ' ').replaceAll(',', ' and ');
  return `Only rows${who && ` of ${who}`}${what && ` that are ${what}`} are shown below.`;
}

/** What a person writes as domains, as the API takes it. */
export const domainsOf = (text: string): string => wordsIn(text).join(',');

interface RowFiltersProps {
  readonly filter: Signal<RowFilter>;
  readonly counts: VerdictCounts;
  /** What the rows have; null: not known yet. */
  readonly summary: Summary | null;
  /** Reasons and their verdicts, as long as it is not known which of them the rows have. */
  readonly reasons?: readonly (readonly [reason: string, verdict: string])[];
}

/** Which rows are shown: every filter leaves out more. */
export function RowFilters({ filter, counts, summary, reasons = [] }: RowFiltersProps) {
  const { verdict, reason, domain, provider } = filter.value;
  const change = (to: Partial<RowFilter>) => (filter.value = { ...filter.value, ...to });
  const isOfVerdict = (of: string) => verdict === '' || verdict.split(',').includes(of);
  const known = summary?.reasons.map((one) => [one.reason, one.verdict, ` (${count(one.rows)})`] as const);
  const offered = (known ?? reasons).filter(([, of]) => isOfVerdict(of));
  const named = summary?.providers.map(({ provider: name, rows }) => [name, rows] as const) ?? [];
  const typed = useSignal(domain);
  useEffect(() => {
    typed.value = domain;
  }, [domain]);
  // The cross of the field tells that it is empty, and nothing else.
  useEffect(() => {
    if (typed.value === '' && domain !== '') change({ domain: '' });
  }, [typed.value]);
  return (
    <>
      <SelectField
        label="Verdict"
        value={{ value: verdict }}
        // A reason of another verdict would leave nothing.
        onPick={(picked) => change({ verdict: picked, reason: '' })}
        options={[
          ['', 'all'],
          ['valid,risky', 'valid and risky'],
          ...VERDICTS.map((one) => [one, `${one} (${count(counts[one] ?? 0)})`] as const),
        ]}
      />
      <SelectField
        label="Reason"
        value={{ value: reason }}
        onPick={(picked) => change({ reason: picked })}
        options={[['', 'all'], ...offered.map(([word, , rows = '']) => [word, reasonName(word) + rows] as const)]}
      />
      <TextField
        label="Domain"
        type="search"
        value={typed}
        onEnter={(text) => change({ domain: domainsOf(text) })}
        maxLength={1_000}
        placeholder="all"
      />
      <SelectField
        label="Mail operator"
        value={{ value: provider }}
        onPick={(picked) => change({ provider: picked })}
        options={[
          ['', 'all'],
          ...named.map(([name, rows]) => [name ?? NO_PROVIDER, `${name ?? OTHERS} (${count(rows)})`] as const),
        ]}
      />
    </>
  );
}
