import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Admission } from '../../platform/redis/rate-limiter.js';
import type { Principal } from './principal.js';

/** The members that the guards add to the request. */
export interface CallerRequest {
  readonly headers: { readonly authorization?: string };
  /** The caller's IP address, from trusted proxies only. */
  readonly ip: string;
  readonly method: string;
  /** The route as it is declared, such as `/api/v1/keys/:id`. */
  readonly routeOptions: { readonly url?: string };
  principal?: Principal;
  admission?: Admission;
}

/** The principal of the request; for routes that are not `@Public()`. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<CallerRequest>();
  if (principal === undefined) throw new Error('a public route has no caller');
  return principal;
});
