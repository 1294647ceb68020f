import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { type Admission, type Limit, rateLimit } from '../../platform/redis/limits.js';
import { RateLimiter } from '../../platform/redis/rate-limiter.js';
import type { Principal } from '../access/principal.js';
import type { ThrottlerModuleOptions, ThrottlerOptions } from '@nestjs/throttler';
import type { KeyPolicy } from '../../platform/config/policies.js';
import type { CallerRequest } from '../access/caller.js';
import { quotaOf } from './rate-headers.js';

/** The limits of a principal's policy: its rate first, then its permits in flight. */
@Injectable()
export class RateLimitService {
  constructor(private readonly limiter: RateLimiter) {}

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

  release(admission: Admission): Promise<void> {
    return this.limiter.release(admission);
  }
}

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
