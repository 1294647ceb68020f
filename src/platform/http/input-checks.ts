import {
  type ExecutionContext,
  Injectable,
  SetMetadata,
  type ArgumentMetadata,
  type Type,
  ValidationPipe,
} from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import { AppError, MAX_FIELD_ERRORS, type FieldError } from '../errors/app-error.js';
import { AroundInterceptor, type Rest } from './around.interceptor.js';
import { checkMembers, type KnownMembers, membersOf, refusesUnknown, shown, unknownText } from './known-members.js';
import type { KeyPolicy } from '../config/policies.js';
import type { ValidationError } from 'class-validator';
import { UnreadableBody } from './json-body.js';
import { FlatClass } from './flat-class.js';

const ANY_QUERY = 'any-query';
const NOTHING: KnownMembers = new Map();
const OF_QUERIES = { what: 'is no query parameter of this route', nothing: 'it takes none' };

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
  private readonly queries = new Map<unknown, KnownMembers | null>();
  private readonly bodies = new Map<unknown, KnownMembers>();

  constructor(private readonly reflector: Reflector) {
    super();
  }

  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const { query, body, principal } = context.getArgByIndex<InputRequest>(0);
    if (Object.keys(query).length > 0) this.checkQuery(query, context);
    if (isJsonObject(body)) checkMembers(body, this.bodyOf(context), refusesUnknown(principal));
    return rest();
  }

  private checkQuery(query: object, context: ExecutionContext): void {
    const known = this.queryOf(context);
    if (known === null) return;
    const unknown = Object.keys(query).filter((name) => !known.has(name));
    if (unknown.length === 0) return;
    const fields = unknown
      .slice(0, MAX_FIELD_ERRORS)
      .map((name) => ({ field: shown(name), error: unknownText(name, query, known, OF_QUERIES) }));
    throw new AppError('invalid_input', { fields });
  }

  private queryOf(context: ExecutionContext): KnownMembers | null {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    let known = this.queries.get(handler);
    if (known === undefined) {
      const any = this.reflector.getAllAndOverride<boolean | undefined>(ANY_QUERY, [handler, controller]);
      known = any ? null : declaredMembers(controller, handler.name, RouteParamtypes.QUERY);
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

/** No list, stream or unreadable body, which are for others to refuse or to read. */
function isJsonObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;
}

/**
 * Checks bodies, queries and parameters against their DTO, and leaves out members that no DTO names: whether they are refused depends on
 * the caller, and the interceptors before the pipe have decided it. Nothing is converted, so a number is no text.
 */
@Injectable()
export class InputPipe extends ValidationPipe {
  private readonly flat = new Map<Type<object>, FlatClass | null>();

  constructor() {
    super({
      transform: true,
      whitelist: true,
      exceptionFactory: (errors) => new AppError('invalid_input', { fields: fieldErrors(errors) }),
    });
  }

  /** Nest would make a number of every `:id` that a handler types so, before the id's own pipe sees its text. */
  protected override transformPrimitive(value: unknown): unknown {
    return value;
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (value instanceof UnreadableBody) throw value.error;
    const { metatype } = metadata;
    if (metatype === undefined || !this.toValidate(metadata)) return value;
    // class-transformer walks through every object that a value refers to, and would never come back from a socket.
    if (!isPlain(value)) throw new AppError('unsupported_media_type');
    return this.readFlat(metatype, value) ?? super.transform(value, metadata);
  }

  private readFlat(metatype: Type<object>, value: unknown): object | null {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    let flat = this.flat.get(metatype);
    if (flat === undefined) this.flat.set(metatype, (flat = FlatClass.of(metatype)));
    return flat?.read(value) ?? null;
  }
}

/** Whether a value is a plain object of JSON or of a query; a parsed query has no prototype, or one without a prototype. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Flattens class-validator's tree to paths such as `emails[3]` and `contact.name`. */
export function fieldErrors(errors: readonly ValidationError[], parent = ''): FieldError[] {
  const flat = errors.flatMap((error): FieldError[] => {
    const field = pathOf(parent, error.property);
    const own = mostTelling(error.constraints ?? {});
    return [...own.map((text) => ({ field, error: text })), ...fieldErrors(error.children ?? [], field)];
  });
  return flat.slice(0, MAX_FIELD_ERRORS);
}

function pathOf(parent: string, property: string): string {
  if (/^\d+$/.test(property)) return `${parent}[${property}]`;
  return parent === '' ? property : `${parent}.${property}`;
}

/** The one text for a field: a wrong type (`isString`, `isInt` …) comes before a wrong length or size. */
function mostTelling(constraints: Readonly<Record<string, string>>): string[] {
  const broken = Object.entries(constraints);
  const told = broken.find(([name]) => name.startsWith('is')) ?? broken[0];
  return told === undefined ? [] : [told[1]];
}
