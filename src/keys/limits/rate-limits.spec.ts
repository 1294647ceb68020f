import { describe, expect, it } from 'vitest';
import { loadPolicies, policyNamed } from '../../platform/config/policies.js';
import type { Principal } from '../access/principal.js';
import { rateHeaders, trackerOf } from './rate-limits.js';

const { keyPolicies } = loadPolicies({ retentionDays: 30 });

describe('the rate headers', () => {
  it('the rate headers of a window show its requests and seconds', () => {
    expect(rateHeaders(keyPolicies.agent, { remaining: 3, resetMs: 12_001 })).toEqual({
      'RateLimit-Policy': '"requests";q=10;w=60, "in-flight";q=1;qu="concurrent-requests"',
      RateLimit: '"requests";r=3;t=13',
      'X-RateLimit-Limit': 10,
      'X-RateLimit-Remaining': 3,
      'X-RateLimit-Reset': 13,
    });
  });

  it('the rate headers of a bucket show its burst and the seconds in which it refills', () => {
    expect(rateHeaders(policyNamed(keyPolicies, 'scale'), { remaining: 399, resetMs: 5 })).toMatchObject({
      'RateLimit-Policy': '"requests";q=400;w=2, "in-flight";q=500;qu="concurrent-requests"',
      RateLimit: '"requests";r=399;t=1',
      'X-RateLimit-Limit': 400,
    });
  });
});

const reader = (keyId: string, accountId: string | null, kind = 'live') =>
  trackerOf({ kind, keyId, accountId, isConsole: true } as Principal);

it('a reading console counts by account, so that a hundred keys do not buy a hundred rates', () => {
  expect(reader('key-1', 'account-1')).toBe(reader('key-2', 'account-1'));
  expect(reader('key-1', 'account-1')).not.toBe(reader('key-3', 'account-2'));
  expect(reader('admin-1', null)).not.toBe(reader('admin-2', null));
});

it('a reading console counts by mode, so that who looks at tests does not slow who looks at live lists', () => {
  expect(reader('key-1', 'account-1', 'test')).not.toBe(reader('key-2', 'account-1', 'live'));
});
