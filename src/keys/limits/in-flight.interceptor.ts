import { finished } from 'node:stream';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Admission } from '../../platform/redis/rate-limiter.js';
import type { CallerRequest } from '../access/caller.js';
import { RateLimitService } from './rate-limit.service.js';

/**
 * Outermost of the global interceptors: gives the permit in flight back when the work is done, before the reply goes out,
 * so that a caller who waits for one reply before the next request is never refused. A caller who hangs up keeps the permit
 * until the work, which goes on, has ended; a reply that streams keeps it until its last byte.
 */
@Injectable()
export class InFlightInterceptor implements NestInterceptor {
  constructor(private readonly rates: RateLimitService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { admission } = context.switchToHttp().getRequest<CallerRequest>();
    return admission === undefined ? next.handle() : from(this.whileHolding(admission, next));
  }

  private async whileHolding(admission: Admission, next: CallHandler): Promise<unknown> {
    let isStreaming = false;
    try {
      const body: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      if (body instanceof StreamableFile) {
        isStreaming = true;
        finished(body.getStream(), () => void this.rates.release(admission));
      }
      return body;
    } finally {
      if (!isStreaming) await this.rates.release(admission);
    }
  }
}
