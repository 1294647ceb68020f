import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CallerRequest } from '../keys/caller.js';
import type { Claim, ClaimingRequest } from '../platform/http/claim.js';

/** Who administers, and from where. */
export interface Actor {
  /** The admin key; null on the command line. */
  readonly keyId: string | null;
  /** Of a key its name or its id, on the command line the user of the operating system. */
  readonly name: string;
  /** Client address, or the machine of the command line. */
  readonly origin: string;
  /** Of the request's idempotency key: what is done is committed with the reply that is kept. */
  readonly claim: Claim | null;
}

/** The admin key of the request, for routes that are `@RequireAdmin()`. */
export const Administrator = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const {
    principal,
    ip,
    claim = null,
  } = context.switchToHttp().getRequest<CallerRequest & ClaimingRequest & { readonly ip: string }>();
  if (principal === undefined) throw new Error('a public route has no administrator');
  return { keyId: principal.keyId, name: `admin key ${principal.keyId}`, origin: ip, claim };
});
