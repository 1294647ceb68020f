import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CallerRequest } from '../keys/access/caller.js';
import { addressOrUnknown } from '../keys/scope/networks.js';
import type { IdempotencyClaim, ClaimingRequest } from '../idempotency/idempotency-claim.js';

/** Who administers, and from where. */
export interface Actor {
  /** The admin key; null on the command line. */
  readonly keyId: string | null;
  /** The key's name or id; on the command line the user of the operating system. */
  readonly name: string;
  /** Client address, or the machine of the command line. */
  readonly origin: string;
  /** The claim of the request's idempotency key: the act is committed together with the kept reply. */
  readonly claim: IdempotencyClaim | null;
}

/** The admin key of the request, for an `AdminRoute`. */
export const Administrator = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { principal, claim = null } = context.switchToHttp().getRequest<CallerRequest & ClaimingRequest>();
  if (principal === undefined) throw new Error('a public route has no administrator');
  const { keyId, clientAddress } = principal;
  return { keyId, name: `admin key ${keyId}`, origin: addressOrUnknown(clientAddress), claim };
});
