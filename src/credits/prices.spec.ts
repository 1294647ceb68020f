import { describe, expect, it } from 'vitest';
import { loadPolicies } from '../platform/config/policies.js';
import { chargeFor } from './prices.js';

describe('the price of an operation', () => {
  const { keyPolicies, creditPrices } = loadPolicies({ retentionDays: 30 });

  it.each(['valid', 'invalid', 'risky', 'unknown'] as const)('is one credit for an agent, %s included', (verdict) => {
    expect(chargeFor(creditPrices.verify, keyPolicies.agent, verdict)).toBe(1);
  });

  it.each([
    ['valid', 1],
    ['invalid', 1],
    ['risky', 1],
    ['unknown', 0],
  ] as const)('%s costs a full account %i', (verdict, charge) => {
    for (const plan of ['free', 'pro', 'scale'] as const)
      expect(chargeFor(creditPrices.verify, keyPolicies[plan], verdict)).toBe(charge);
  });

  it('is nothing for a search that found nothing', () => {
    expect(chargeFor(creditPrices.find, keyPolicies.pro, 'not_found')).toBe(0);
    expect(chargeFor(creditPrices.find, keyPolicies.pro, 'found')).toBe(1);
  });
});
