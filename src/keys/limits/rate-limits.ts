import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { type Admission, type Limit, Limiter, type LimitState, rateLimit } from '../../platform/redis/limits.js';
import type { Principal } from '../access/principal.js';
import type { ThrottlerModuleOptions, ThrottlerOptions } from '@nestjs/throttler';
import type { KeyPolicy } from '../../platform/config/policies.js';
import type { CallerRequest } from '../access/caller.js';

/** The limits of a principal's policy: its rate first, then its permits in flight. */
@Injectable()
export class RateLimitService {
  constructor(private readonly limiter: Limiter) {}

  /**
   * Counts a request and takes its permit in flight, or neither; the answer says which limit refused.
   * @param rate as a throttler asked for it; else the policy's
   */
  admit(principal: Principal, rate: Limit = rateOf(principal)): Promise<Admission> {
    const { requestsInFlight } = principal.policy;
    return this.limiter.admit([
      rate,
      { kind: 'permits', key: `flight:{${trackerOf(principal)}}`, permits: requestsInFlight },
    ]);
  }

  /**
   * Counts a revocation that the limits of its account have refused. It counts by key, so that nobody who floods with one key keeps
   * another one of the account from revoking it.
   */
  admitRevocation({ keyId }: Principal): Promise<Admission> {
    return this.limiter.admit([{ kind: 'bucket', key: `revocations:{${keyId}}`, ...REVOCATIONS }]);
  }

  release(admission: Admission): Promise<void> {
    return this.limiter.release(admission);
  }
}

/** Enough for a leaked key and some that it made, one by one; `descendants=true` revokes any number at once. */
const REVOCATIONS = { burst: 10, perSecond: 1 } as const;

/** @throws AppError `rate_limited` or `request_in_flight` when the admission is a refusal. */
export function checkAdmission({ refusedBy, waitMs }: Admission): void {
  if (refusedBy === null) return;
  // Nobody knows when the running request ends; a second is about what one takes.
  if (refusedBy.kind === 'permits') throw new AppError('request_in_flight', { retryAfterSeconds: 1 });
  throw new AppError('rate_limited', { retryAfterSeconds: waitMs / 1000 });
}

/** One throttler an algorithm: a caller meets the one that the rate of its policy names, with the policy's numbers. */
const THROTTLERS = (['window', 'bucket'] as const).map(
  (name) =>
    ({
      name,
      // Without a key there is no policy; what such a route may cost is limited where the cost arises (registration).
      skipIf: (context: ExecutionContext) => principalOf(context)?.policy.rate.kind !== name,
      limit: (context: ExecutionContext) => quotaOf(policyOf(context)).quota,
      ttl: (context: ExecutionContext) => quotaOf(policyOf(context)).windowMs,
    }) satisfies ThrottlerOptions,
);

/** The options of `ThrottlerModule`, beside the storage. */
export const THROTTLER_OPTIONS = {
  throttlers: THROTTLERS,
  getTracker: ({ principal }) => trackerOf(principal as Principal),
  // Over all routes: a caller has one rate.
  generateKey: (_context: unknown, tracker: string) => keyOf(tracker),
} satisfies ThrottlerModuleOptions;

/** The rate of a principal, for callers without an execution context of Nest, such as tools. */
export function rateOf(principal: Principal): Limit {
  const { policy } = principal;
  const { quota, windowMs } = quotaOf(policy);
  return rateLimit(policy.rate.kind, keyOf(trackerOf(principal)), quota, windowMs);
}

/** Counts by account, so that a second key buys no second rate, and by kind, so that a test run does not slow live traffic; a reading console apart, by kind too. */
export function trackerOf({ kind, accountId, keyId, isConsole }: Principal): string {
  return `${isConsole ? 'console:' : ''}${kind}:${accountId ?? keyId}`;
}

function keyOf(tracker: string): string {
  return `rate:{${tracker}}`;
}

function principalOf(context: ExecutionContext): Principal | undefined {
  return context.getArgByIndex<CallerRequest>(0).principal;
}

function policyOf(context: ExecutionContext): KeyPolicy {
  return principalOf(context)!.policy;
}

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
