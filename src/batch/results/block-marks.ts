import { hash } from 'node:crypto';
import type { PassDecoder } from '../model/batch-kind.js';
import { CHUNK_SIZE } from '../model/row-ref.js';
import { isWanted, type RowFact, type RowFilter } from '../model/chunk-result.js';

/** By what a filter knows that no row of a block is wanted, without reading its results. */
export interface BlockMarks {
  /** JSON of `StoredFact`s: each combination that a row has. */
  readonly facts: string;
  /** `domainMark` of each domain, ascending. */
  readonly domains: readonly number[];
}

type StoredFact = readonly [verdict: RowFact['verdict'], reason: string, provider: string | null];

export function marksOf(pass: PassDecoder): BlockMarks {
  const facts = new Set<string>();
  const seen = new Set<RowFact>();
  const domains = new Set<number>();
  for (let offset = 0; offset < CHUNK_SIZE; offset++) {
    const fact = pass.factAt(offset);
    if (fact === null) continue;
    const domain = pass.domainAt(offset);
    if (domain !== null) domains.add(domainMark(domain));
    if (seen.has(fact)) continue;
    seen.add(fact);
    facts.add(JSON.stringify([fact.verdict, fact.reason, fact.provider] satisfies StoredFact));
  }
  return { facts: `[${[...facts].sort().join(',')}]`, domains: [...domains].sort((a, b) => a - b) };
}

/** Four bytes for a domain: another one may have the same, and then a block is read in vain. */
export function domainMark(domain: string): number {
  return hash('sha256', domain, 'buffer').readInt32LE();
}

/** Whether the filter wants one of the combinations, whatever it says of domains. */
export function mayHaveWanted(facts: string, filter: RowFilter): boolean {
  const stored = JSON.parse(facts) as readonly StoredFact[];
  return stored.some(([verdict, reason, provider]) =>
    isWanted({ ...filter, domains: null }, { verdict, reason, provider }, () => null),
  );
}
