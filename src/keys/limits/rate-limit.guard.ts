import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { FastifyReply } from 'fastify';
import type { CallerRequest } from '../access/caller.js';
import { rateHeaders } from './rate-headers.js';
import { rateLimit } from '../../platform/redis/limits.js';
import { checkAdmission, RateLimitService, THROTTLER_OPTIONS } from './rate-limit.service.js';

/**
 * Second of the global guards: the throttler of the caller's policy, and in the same step a permit in flight, which
 * `InFlightInterceptor` gives back. The package asks its storage once a throttler and takes what it gets, so that step is ours
 * (docs/adr/0027); which throttler applies, its numbers and its key are the package's (`THROTTLER_OPTIONS`).
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly rates: RateLimitService,
  ) {
    super(options, storage, reflector);
  }

  /**
   * Asks the throttler that the policy names. The package would ask each of them, and look at every request for ten decorators on its
   * route: no route has one, because a caller's rate is one over all routes.
   */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { principal } = context.getArgByIndex<CallerRequest>(0);
    if (principal === undefined) return true;
    const throttler = THROTTLER_OPTIONS.throttlers.find(({ name }) => name === principal.policy.rate.kind)!;
    const [limit, ttl] = [throttler.limit(context), throttler.ttl(context)];
    const { getTracker, generateKey } = THROTTLER_OPTIONS;
    return this.handleRequest({ context, throttler, limit, ttl, blockDuration: ttl, getTracker, generateKey });
  }

  protected override async handleRequest(asked: ThrottlerRequest): Promise<boolean> {
    const { context, throttler, limit, ttl, getTracker, generateKey } = asked;
    const request = context.getArgByIndex<CallerRequest>(0);
    const key = generateKey(context, await getTracker(request, context), throttler.name!);
    const principal = request.principal!;
    const admission = await this.rates.admit(principal, rateLimit(throttler.name!, key, limit, ttl));
    const reply = context.getArgByIndex<FastifyReply>(1);
    for (const [name, value] of Object.entries(rateHeaders(principal.policy, admission.states[0]!)))
      void reply.header(name, value);
    checkAdmission(admission);
    request.admission = admission;
    return true;
  }
}
