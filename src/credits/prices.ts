import type { CreditPrice, KeyPolicy } from '../platform/config/policies.js';

/**
 * The outcome of an operation: for a verification its verdict, or `prevented` when a fault on our side kept us from asking; for a search
 * `found` or `not_found`; for a question to others `answered`, `known` (from memory) or `unanswered`.
 */
export type Outcome =
  'valid' | 'invalid' | 'risky' | 'unknown' | 'prevented' | 'found' | 'not_found' | 'answered' | 'known' | 'unanswered';

/** The credits that an operation costs once its outcome is known: never more than `price.costCredits`. */
export function chargeFor(price: CreditPrice, policy: Pick<KeyPolicy, 'chargeUnknown'>, outcome: Outcome): number {
  if (price.freeOutcomes.includes(outcome)) return 0;
  return outcome === 'unknown' && !policy.chargeUnknown ? 0 : price.costCredits;
}
