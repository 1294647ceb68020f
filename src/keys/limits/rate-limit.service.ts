import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import type { Admission, Limit } from '../../platform/redis/limits.js';
import { RateLimiter } from '../../platform/redis/rate-limiter.js';
import type { Principal } from '../access/principal.js';
import { rateOf, trackerOf } from './throttlers.js';

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
