import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { type Admission, type Limit, RateLimiter } from '../platform/redis/rate-limiter.js';
import type { Principal } from './principal.js';

/** The limits of a principal's policy: its rate first, then its places in flight. */
@Injectable()
export class RateLimitService {
  constructor(private readonly limiter: RateLimiter) {}

  /** Counts a request and takes its place in flight, or neither; the answer says which limit refused. */
  admit(principal: Principal): Promise<Admission> {
    return this.limiter.admit(limitsOf(principal));
  }

  release(admission: Admission): Promise<void> {
    return this.limiter.release(admission);
  }
}

/** @throws AppError `rate_limited` or `request_in_flight` when the admission is a refusal. */
export function checkAdmission({ refusedBy, states }: Admission): void {
  if (refusedBy === null) return;
  // Nobody knows when the running request ends; a second is about what one takes.
  if (refusedBy.kind === 'slots') throw new AppError('request_in_flight', { retryAfterSeconds: 1 });
  throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(states[0]!.resetMs / 1000)) });
}

function limitsOf({ accountId, keyId, kind, policy }: Principal): Limit[] {
  // By account, so that a second key buys no second rate; by kind, so that a test run does not slow down live traffic.
  const owner = `${kind}:${accountId ?? keyId}`;
  return [
    rateOf(policy.rate, `rate:${owner}`),
    { kind: 'slots', key: `flight:${owner}`, places: policy.requestsInFlight },
  ];
}

function rateOf(rate: Principal['policy']['rate'], key: string): Limit {
  if (rate.kind === 'bucket') return { kind: 'bucket', key, perSecond: rate.perSecond, burst: rate.burst };
  return { kind: 'window', key, requests: rate.requests, windowMs: rate.windowSeconds * 1000 };
}
