import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Admission } from '../../platform/redis/limits.js';
import type { PageHeaders } from './session-cookie.js';
import type { Principal } from './principal.js';

/** The members that the guards add to the request. */
export interface CallerRequest {
  readonly headers: PageHeaders & { readonly authorization?: string; readonly cookie?: string };
  /** The caller's IP address, from trusted proxies only. */
  readonly ip: string;
  readonly method: string;
  readonly id: string;
  /** Of the caller's `traceparent`, or our own. */
  readonly traceId: string;
  /** The route as it is declared, such as `/api/v1/keys/:id`. */
  readonly routeOptions: { readonly url?: string };
  principal?: Principal;
  /** Asks once more whether the caller may: a reply that goes on for long ends with the key, or with the session. @throws AppError */
  checkAccess?: () => Promise<void>;
  /** When the session of a browser ends; not there for a key in the header. */
  sessionExpiresAt?: Date;
  admission?: Admission;
}

/** The principal of the request; for routes that are not `@Public()`. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.getArgByIndex<CallerRequest>(0);
  if (principal === undefined) throw new Error('a public route has no caller');
  return principal;
});
