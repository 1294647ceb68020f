import { finished } from 'node:stream';
import { type ExecutionContext, Injectable, StreamableFile } from '@nestjs/common';
import { AroundInterceptor, type Rest } from '../../platform/http/around.interceptor.js';
import type { Admission } from '../../platform/redis/limits.js';
import type { CallerRequest } from '../access/caller.js';
import { RateLimitService } from './rate-limit.service.js';

/**
 * Outermost of the global interceptors: gives the permit in flight back when the work is done, before the reply goes out,
 * so that a caller who waits for one reply before the next request is never refused. A caller who hangs up keeps the permit
 * until the work, which goes on, has ended; a reply that streams keeps it until its last byte.
 */
@Injectable()
export class InFlightInterceptor extends AroundInterceptor {
  constructor(private readonly rates: RateLimitService) {
    super();
  }

  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const { admission } = context.getArgByIndex<CallerRequest>(0);
    return admission === undefined ? rest() : this.whileHolding(admission, rest);
  }

  private async whileHolding(admission: Admission, rest: Rest): Promise<unknown> {
    let isStreaming = false;
    try {
      const body = await rest();
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
