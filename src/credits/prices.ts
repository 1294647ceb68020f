import type { CreditPrice, KeyPolicy } from '../platform/config/policies.js';

/**
 * The outcome of an operation: for a verification its verdict, `malformed` when the text is no address, or `prevented` when a fault on our
 * side kept us from asking; for a search `found` or `not_found`; for a question to others `answered`, `known` (from memory) or `unanswered`.
 */
export type Outcome =
  | 'valid'
  | 'invalid'
  | 'risky'
  | 'unknown'
  | 'malformed'
  | 'prevented'
  | 'found'
  | 'not_found'
  | 'answered'
  | 'known'
  | 'unanswered';

/** The part of a policy that decides about prices. */
export type Pricing = Pick<KeyPolicy, 'chargeUnknown' | 'chargeMalformed'>;

/** The credits that an operation costs once its outcome is known: never more than `price.costCredits`. */
export function chargeFor(price: CreditPrice, policy: Pricing, outcome: Outcome): number {
  if (price.freeOutcomes.includes(outcome)) return 0;
  if (outcome === 'unknown' && !policy.chargeUnknown) return 0;
  return outcome === 'malformed' && !policy.chargeMalformed ? 0 : price.costCredits;
}
