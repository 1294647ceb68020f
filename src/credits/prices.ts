import type { CreditPrice, KeyPolicy } from '../platform/config/policies.js';

/** What an operation ended with: for a verification its verdict, for a search `found` or `not_found`. */
export type Outcome = 'valid' | 'invalid' | 'risky' | 'unknown' | 'found' | 'not_found';

/** The credits that an operation costs once its outcome is known: never more than `price.costCredits`. */
export function chargeFor(price: CreditPrice, policy: KeyPolicy, outcome: Outcome): number {
  if (price.freeOutcomes.includes(outcome)) return 0;
  return outcome === 'unknown' && !policy.chargeUnknown ? 0 : price.costCredits;
}
