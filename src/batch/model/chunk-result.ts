import { parseAddress } from '../../engine/syntax/address.js';
import type { VerifiedAddress } from '../../presenting/presenter.js';
import { domainPartOf } from './row-ref.js';

export type Verification = VerifiedAddress['verification'];
export type Verdict = Verification['verdict'];
export const VERDICTS: readonly Verdict[] = ['valid', 'invalid', 'risky', 'unknown'];

/** The final result for one item of a chunk. */
export interface ChunkResult {
  /** Index in the chunk, from 0. */
  readonly offset: number;
  readonly verification: Verification;
  readonly creditsCharged: number;
  readonly latencyMs: number;
  /** Whether the owner of the address asked not to be found, for accounts that report it; looked up when the result is read. */
  readonly suppressed?: boolean;
  /** The batch still runs and has no answer for this row: `verification` holds the address alone. */
  readonly isPending?: true;
  /** In a batch of people: the search, of which `verification` is the deciding one. */
  readonly found?: VerifiedAddress['found'];
}

/** What `provider=` says of the rows whose mail operator has no name here. */
export const NO_PROVIDER = 'none';

/** What rows are counted and filtered by, beside their domain. */
export interface RowFact {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly provider: string | null;
}

/** Gives the results of one pass over a chunk. */
export interface PassDecoder {
  /** Returns null for an item that the pass did not settle. */
  verdictAt(offset: number): Verdict | null;
  /** What rows are counted and filtered by; returns null for an item that the pass did not settle. */
  factAt(offset: number): RowFact | null;
  /** The domain of an item that the pass settled, in lower case and A-labels, by which rows are counted and filtered; null: none, or erased. */
  domainAt(offset: number): string | null;
  /** @param repeat the text of a further row with the same item: its result says that text, perhaps in another case, and costs nothing: only the first row is charged */
  at(offset: number, repeat?: string): ChunkResult;
}

/** Which rows are wanted, by what they say; null: whatever they say. */
export interface RowFilter {
  readonly verdicts: ReadonlySet<Verdict> | null;
  readonly reasons: ReadonlySet<string> | null;
  /** In lower case and A-labels. */
  readonly domains: ReadonlySet<string> | null;
  /** In lower case; `NO_PROVIDER`: of no mail operator that has a name. */
  readonly provider: string | null;
}

export const ALL_ROWS: RowFilter = { verdicts: null, reasons: null, domains: null, provider: null };

export function wantsAll({ verdicts, reasons, domains, provider }: RowFilter): boolean {
  return verdicts === null && reasons === null && domains === null && provider === null;
}

/** @param domainOf tells the row's domain, and is asked where a filter wants to know it */
export function passesFilter(
  { verdicts, reasons, domains, provider }: RowFilter,
  fact: RowFact,
  domainOf: () => string | null,
): boolean {
  if (verdicts !== null && !verdicts.has(fact.verdict)) return false;
  if (reasons !== null && !reasons.has(fact.reason)) return false;
  if (provider !== null && (fact.provider ?? NO_PROVIDER).toLowerCase() !== provider) return false;
  return domains === null || domains.has(domainOf() ?? '');
}

/** A domain as rows have it, from what a caller writes; what is none is no row's. */
export function toFilteredDomain(text: string): string {
  const parsed = parseAddress(`jane@${text}`);
  return parsed.ok ? domainPartOf(parsed.address.normalized) : text.toLowerCase();
}
