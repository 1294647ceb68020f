import { describe, expect, it } from 'vitest';
import { loadPolicies, policyNamed } from '../../platform/config/policies.js';
import { rateHeaders } from './rate-headers.js';

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
