import type { Batch } from './batch.js';
import type { BatchKind } from './batch-kind.js';

export type Quoted = Pick<Batch, 'state' | 'policy' | 'totalRows' | 'uniqueAddresses' | 'malformed' | 'reused'>;

/**
 * What a held batch would cost (docs/batches.md#the-price-before-the-work).
 * @param balanceAfter below 0 when the credits do not suffice
 */
export function quoteOf(batch: Quoted, { items }: BatchKind, maxCredits: number, balanceAfter: number): object {
  return {
    rows: batch.totalRows,
    [`unique_${items}`]: batch.uniqueAddresses,
    duplicates: batch.totalRows - batch.uniqueAddresses,
    malformed: batch.malformed ?? 0,
    reusable: batch.reused,
    max_credits: maxCredits,
    balance_after: balanceAfter,
  };
}
