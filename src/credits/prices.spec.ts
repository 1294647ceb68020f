import { describe, expect, it } from 'vitest';
import { loadPolicies, plansOf } from '../platform/config/policies.js';
import { chargeFor } from './prices.js';

describe('the price of an operation', () => {
  const { keyPolicies, creditPrices } = loadPolicies({ retentionDays: 30 });

  it.each(['valid', 'invalid', 'risky', 'unknown', 'malformed'] as const)(
    'the price of an operation is one credit for an agent, %s included',
    (verdict) => {
      expect(chargeFor(creditPrices.verify, keyPolicies.agent, verdict)).toBe(1);
    },
  );

  it.each([
    ['valid', 1],
    ['invalid', 1],
    ['risky', 1],
    ['unknown', 0],
    ['malformed', 0],
  ] as const)('%s costs a full account %i', (verdict, charge) => {
    for (const plan of plansOf(keyPolicies)) expect(chargeFor(creditPrices.verify, plan, verdict)).toBe(charge);
  });

  it('the price of an operation is nothing for anybody when nobody could be asked for a fault of ours', () => {
    for (const policy of Object.values(keyPolicies))
      expect(chargeFor(creditPrices.verify, policy, 'prevented')).toBe(0);
  });

  it('the price of an operation is nothing for a search that found nothing', () => {
    expect(chargeFor(creditPrices.find, keyPolicies.free, 'not_found')).toBe(0);
    expect(chargeFor(creditPrices.find, keyPolicies.free, 'found')).toBe(1);
  });
});
