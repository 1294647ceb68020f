import { type ExecutionContext, Injectable } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { KeyPolicy } from '../../config/policies.js';
import { AroundInterceptor, type Rest } from '../around/around.interceptor.js';
import { declaredMembers } from '../known-query.interceptor.js';
import { checkMembers, type KnownMembers, refusesUnknown } from './known-members.js';

/** A request after the guards, which note who asks. */
interface BodyRequest {
  readonly body: unknown;
  readonly principal?: { readonly policy: Pick<KeyPolicy, 'shape'> };
}

/** Refuses members of a body that the route's class does not name. It is the innermost interceptor, where input is checked. */
@Injectable()
export class KnownBodyInterceptor extends AroundInterceptor {
  private readonly known = new Map<unknown, KnownMembers>();

  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const { body, principal } = context.getArgByIndex<BodyRequest>(0);
    if (isJsonObject(body)) checkMembers(body, this.knownTo(context), refusesUnknown(principal));
    return rest();
  }

  private knownTo(context: ExecutionContext): KnownMembers {
    const handler = context.getHandler();
    let known = this.known.get(handler);
    if (known === undefined)
      this.known.set(handler, (known = declaredMembers(context.getClass(), handler.name, RouteParamtypes.BODY)));
    return known;
  }
}

/** No list, stream or unreadable body, which are for others to refuse or to read. */
function isJsonObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;
}
