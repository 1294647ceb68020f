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
export const domainsOf = (text: string): string =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .join(',');
