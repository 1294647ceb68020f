import type { KeyPolicy } from '../../platform/config/policies.js';
import type { LimitState } from '../../platform/redis/limits.js';

/**
 * The caller's rate and what is left of it: the two fields of draft-ietf-httpapi-ratelimit-headers-10 and the customary `X-` ones. `t` and
 * `-Reset` are the seconds until one more request is admitted than `r` and `-Remaining` say.
 */
export function rateHeaders(policy: KeyPolicy, { remaining, resetMs }: LimitState): Record<string, string | number> {
  const { quota, windowMs } = quotaOf(policy);
  const windowSeconds = Math.ceil(windowMs / 1000);
  const resetSeconds = Math.ceil(resetMs / 1000);
  return {
    'RateLimit-Policy': `"requests";q=${quota};w=${windowSeconds}, "in-flight";q=${policy.requestsInFlight};qu="concurrent-requests"`,
    RateLimit: `"requests";r=${remaining};t=${resetSeconds}`,
    'X-RateLimit-Limit': quota,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': resetSeconds,
  };
}

/** The numbers of a rate: a window's own; of a bucket its burst and the time in which it refills. */
export function quotaOf({ rate }: KeyPolicy): { quota: number; windowMs: number } {
  if (rate.kind === 'window') return { quota: rate.requests, windowMs: rate.windowSeconds * 1000 };
  return { quota: rate.burst, windowMs: (rate.burst / rate.perSecond) * 1000 };
}
