import type { KeyPolicy } from '../../platform/config/policies.js';
import type { LimitState } from '../../platform/redis/limits.js';

/**
 * The caller's rate and what is left of it: the two fields of draft-ietf-httpapi-ratelimit-headers-10 and the customary `X-` ones. `t` and
 * `-Reset` are the seconds until one more request is admitted than `r` and `-Remaining` say.
 */
export function rateHeaders(policy: KeyPolicy, { remaining, resetMs }: LimitState): Record<string, string | number> {
  const { quota, stated } = quotaOf(policy);
  const resetSeconds = Math.ceil(resetMs / 1000);
  return {
    'RateLimit-Policy': stated,
    RateLimit: `"requests";r=${remaining};t=${resetSeconds}`,
    'X-RateLimit-Limit': quota,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': resetSeconds,
  };
}

interface Quota {
  readonly quota: number;
  readonly windowMs: number;
  /** The field `RateLimit-Policy`. */
  readonly stated: string;
}

/** Policies are few, and there are requests by the thousand. */
const quotas = new WeakMap<KeyPolicy, Quota>();

/** The numbers of a rate: a window's own; of a bucket its burst and the time in which it refills. */
export function quotaOf(policy: KeyPolicy): Quota {
  let quota = quotas.get(policy);
  if (quota === undefined) quotas.set(policy, (quota = readQuota(policy)));
  return quota;
}

function readQuota({ rate, requestsInFlight }: KeyPolicy): Quota {
  const quota = rate.kind === 'window' ? rate.requests : rate.burst;
  const windowMs = rate.kind === 'window' ? rate.windowSeconds * 1000 : (rate.burst / rate.perSecond) * 1000;
  const windowSeconds = Math.ceil(windowMs / 1000);
  const stated = `"requests";q=${quota};w=${windowSeconds}, "in-flight";q=${requestsInFlight};qu="concurrent-requests"`;
  return { quota, windowMs, stated };
}
