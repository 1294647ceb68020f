import type { ReportRow } from './aggregate-report.js';
import { isWithin, type UnplacedRow } from './report-row.js';

/**
 * The rows of a domain and its subdomains, each combination once, the most messages first. A record without a From is one of
 * the domain itself; one of another domain has no place in the report.
 */
export function summedRows(rows: readonly UnplacedRow[], domain: string): readonly ReportRow[] {
  const summed = new Map<string, ReportRow>();
  for (const row of rows) {
    const headerFrom = placeOf(row, domain);
    if (headerFrom === null) continue;
    const { headerFroms: _, messages, ...others } = row;
    const rest = { ...others, headerFrom };
    const key = JSON.stringify(Object.values(rest));
    summed.set(key, { ...rest, messages: messages + (summed.get(key)?.messages ?? 0) });
  }
  return [...summed.values()].toSorted((one, other) => other.messages - one.messages);
}

/** The name in From that a row of the domain's report is about; null: it is about another domain. */
export function placeOf({ headerFroms }: UnplacedRow, domain: string): string | null {
  return headerFroms.length === 0 ? domain : (headerFroms.find((name) => isWithin(name, domain)) ?? null);
}
