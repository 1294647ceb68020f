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
import type { CallerRequest } from './caller.js';
import { rateHeaders } from './rate-headers.js';
import { checkAdmission, RateLimitService } from './rate-limit.service.js';

/**
 * Second of the global guards: one bucket for each caller over all routes, read from the caller's policy, and its place in
 * flight, in one round trip. `InFlightInterceptor` gives the place back. `@SkipThrottle()` spares a route.
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

  /** What a route without a key may cost is limited where the cost arises, such as in the registration service. */
  protected override async shouldSkip(context: ExecutionContext): Promise<boolean> {
    return context.switchToHttp().getRequest<CallerRequest>().principal === undefined;
  }

  protected override async handleRequest({ context }: ThrottlerRequest): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const principal = request.principal!;
    const admission = await this.rates.admit(principal);
    const reply = context.switchToHttp().getResponse<Record<string, unknown>>();
    for (const [name, value] of Object.entries(rateHeaders(principal.policy, admission.states[0]!)))
      this.setResponseHeader(reply, name, value);
    checkAdmission(admission);
    request.admission = admission;
    return true;
  }
}
