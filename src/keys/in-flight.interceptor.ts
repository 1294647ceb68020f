import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Admission } from '../platform/redis/rate-limiter.js';
import type { CallerRequest } from './caller.js';
import { RateLimitService } from './rate-limit.service.js';

/**
 * Outermost of the global interceptors: gives the place in flight back when the work is done, before the reply goes out,
 * so that a caller who waits for one reply before the next request is never refused. A caller who hangs up keeps the place
 * until the work, which goes on, has ended.
 */
@Injectable()
export class InFlightInterceptor implements NestInterceptor {
  constructor(private readonly rates: RateLimitService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { admission } = context.switchToHttp().getRequest<CallerRequest>();
    return admission === undefined ? next.handle() : from(this.whileHolding(admission, next));
  }

  private async whileHolding(admission: Admission, next: CallHandler): Promise<unknown> {
    try {
      return await lastValueFrom(next.handle(), { defaultValue: undefined });
    } finally {
      await this.rates.release(admission);
    }
  }
}
