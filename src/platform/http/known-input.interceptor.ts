import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import { AppError, MAX_FIELD_ERRORS } from '../errors/app-error.js';
import { AroundInterceptor, type Rest } from './around.interceptor.js';
import { type KnownMembers, membersOf, checkMembers, refusesUnknown } from './known-members.js';
import type { KeyPolicy } from '../config/policies.js';

const ANY_QUERY = 'any-query';
const NOTHING: KnownMembers = new Map();

/** Public routes ignore unknown parameters, because links get decorations on their way (`?utm_source=…`). */
export const AnyQuery = () => SetMetadata(ANY_QUERY, true);

/** A request after the guards, which note who asks. */
interface InputRequest {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly principal?: { readonly policy: Pick<KeyPolicy, 'shape'> };
}

/**
 * Refuses query parameters that the route's query class does not declare, as a mistyped filter would show everything, and members of a body
 * that the route's class does not name.
 */
@Injectable()
export class KnownInputInterceptor extends AroundInterceptor {
  /** By handler; null where any parameter is taken. */
  private readonly queries = new Map<unknown, readonly string[] | null>();
  private readonly bodies = new Map<unknown, KnownMembers>();

  constructor(private readonly reflector: Reflector) {
    super();
  }

  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const { query, body, principal } = context.getArgByIndex<InputRequest>(0);
    const names = Object.keys(query);
    if (names.length > 0) this.checkQuery(names, context);
    if (isJsonObject(body)) checkMembers(body, this.bodyOf(context), refusesUnknown(principal));
    return rest();
  }

  private checkQuery(names: readonly string[], context: ExecutionContext): void {
    const known = this.queryOf(context);
    if (known === null) return;
    const unknown = names.filter((name) => !known.includes(name));
    if (unknown.length > 0) throw refusal(unknown, known);
  }

  private queryOf(context: ExecutionContext): readonly string[] | null {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    let known = this.queries.get(handler);
    if (known === undefined) {
      const any = this.reflector.getAllAndOverride<boolean | undefined>(ANY_QUERY, [handler, controller]);
      known = any ? null : [...declaredMembers(controller, handler.name, RouteParamtypes.QUERY).keys()];
      this.queries.set(handler, known);
    }
    return known;
  }

  private bodyOf(context: ExecutionContext): KnownMembers {
    const handler = context.getHandler();
    let known = this.bodies.get(handler);
    if (known === undefined)
      this.bodies.set(handler, (known = declaredMembers(context.getClass(), handler.name, RouteParamtypes.BODY)));
    return known;
  }
}

/** The members of the class that a handler declares for its query or body; none without a class. */
export function declaredMembers(
  controller: new (...parts: never[]) => object,
  handler: string,
  of: RouteParamtypes.QUERY | RouteParamtypes.BODY,
): KnownMembers {
  const declared: Readonly<Record<string, { readonly index: number }>> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {};
  const argument = Object.entries(declared).find(([key]) => key.startsWith(`${of}:`))?.[1];
  if (argument === undefined) return NOTHING;
  const types: readonly (new () => object)[] = Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype, handler);
  return membersOf(types[argument.index]!);
}

function refusal(unknown: readonly string[], known: readonly string[]): AppError {
  const told =
    known.length === 0 ? 'this route takes no query parameters' : `known are ${[...known].sort().join(', ')}`;
  const fields = unknown
    .slice(0, MAX_FIELD_ERRORS)
    .map((name) => ({ field: name.slice(0, 100), error: `is no query parameter of this route: ${told}` }));
  return new AppError('invalid_input', { fields });
}

/** No list, stream or unreadable body, which are for others to refuse or to read. */
function isJsonObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;
}
