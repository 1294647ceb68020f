import type { ReportRow } from './aggregate-report.js';
import { isWithin, type UnplacedRow } from './report-row.js';

/**
 * The rows of a domain and its subdomains, each combination once, the most messages first. A record without a From is one of
 * the domain itself; one of another domain has no place in the report.
 */
export function summedRows(rows: readonly UnplacedRow[], domain: string): readonly ReportRow[] {
  const summed = new Map<string, ReportRow>();
  for (const row of rows) {
    const headerFrom = row.headerFrom ?? domain;
    if (!isWithin(headerFrom, domain)) continue;
    const { messages, ...rest } = { ...row, headerFrom };
    const key = JSON.stringify(Object.values(rest));
    summed.set(key, { ...rest, messages: messages + (summed.get(key)?.messages ?? 0) });
  }
  return [...summed.values()].toSorted((one, other) => other.messages - one.messages);
}
