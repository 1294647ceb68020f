import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { CallerRequest } from '../access/caller.js';
import { rateHeaders } from './rate-headers.js';
import { rateLimit } from '../../platform/redis/rate-limiter.js';
import { checkAdmission, RateLimitService } from './rate-limit.service.js';

/**
 * Second of the global guards: the throttler of the caller's policy, and in the same step a permit in flight, which
 * `InFlightInterceptor` gives back. The package asks its storage once a throttler and takes what it gets, so that step is ours
 * (docs/adr/0027); which throttler applies, its numbers and its key are the package's (`throttlers.ts`).
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

  protected override async handleRequest(asked: ThrottlerRequest): Promise<boolean> {
    const { context, throttler, limit, ttl, getTracker, generateKey } = asked;
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const key = generateKey(context, await getTracker(request, context), throttler.name!);
    const principal = request.principal!;
    const admission = await this.rates.admit(principal, rateLimit(throttler.name!, key, limit, ttl));
    const { res } = this.getRequestResponse(context);
    for (const [name, value] of Object.entries(rateHeaders(principal.policy, admission.states[0]!)))
      this.setResponseHeader(res, name, value);
    checkAdmission(admission);
    request.admission = admission;
    return true;
  }
}
