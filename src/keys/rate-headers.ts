import type { KeyPolicy } from '../platform/config/policies.js';
import type { LimitState } from '../platform/redis/rate-limiter.js';

/**
 * How the caller stands: the two fields of draft-ietf-httpapi-ratelimit-headers-10 and the customary `X-` ones. `t` and
 * `-Reset` are the seconds until one more request is admitted than `r` and `-Remaining` say.
 */
export function rateHeaders(policy: KeyPolicy, { remaining, resetMs }: LimitState): Record<string, string | number> {
  const { quota, windowSeconds } = quotaOf(policy);
  const resetSeconds = Math.ceil(resetMs / 1000);
  return {
    'RateLimit-Policy': `"requests";q=${quota};w=${windowSeconds}, "in-flight";q=${policy.requestsInFlight};qu="concurrent-requests"`,
    RateLimit: `"requests";r=${remaining};t=${resetSeconds}`,
    'X-RateLimit-Limit': quota,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': resetSeconds,
  };
}

/** A bucket is told as its burst and the time in which it refills. */
export function quotaOf({ rate }: KeyPolicy): { quota: number; windowSeconds: number } {
  if (rate.kind === 'window') return { quota: rate.requests, windowSeconds: rate.windowSeconds };
  return { quota: rate.burst, windowSeconds: Math.ceil(rate.burst / rate.perSecond) };
}
