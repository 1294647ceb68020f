import {
  applyDecorators,
  Controller,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import {
  ApiBearerAuth,
  ApiBody,
  type ApiBodyOptions,
  ApiConsumes,
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  type ApiOperationOptions,
  ApiParam,
  type ApiParamOptions,
  ApiProduces,
  ApiResponse,
  type ApiResponseOptions,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { ErrorCode } from '../platform/errors/error-catalog.js';
import { idRefusalsOf } from '../platform/http/id-params.js';
import { PUBLIC, Public } from '../platform/http/public.decorator.js';
import { AUDIENCE, type Audience, MAY_NEED, NEEDS } from './access/audience.js';
import { type LineName, InTurn } from './limits/account-turns.js';
import { Revocation } from './limits/rate-limit.guard.js';
import type { AdminPermission, Permission } from './scope/key-scope.js';

/** The pattern of a key: bare, or a string of RFC 8941 section 3.3.3. */
const IDEMPOTENCY_KEY = '^([!#-~][!-~]{0,254}|"([!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$';

/** Documents the header that every POST with an API key may have. */
export const ApiIdempotencyKey = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'The same key and body again get the first reply again, charged once, for 24 hours. 1 to 255 visible ASCII characters.',
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY },
  });

/**
 * One shape for every route of the interfaces: what a key needs for it, what it takes, answers and refuses stand in one decorator, in
 * this order.
 */
interface RouteFacts {
  readonly description?: string;
  /** The keys that it takes, where they are not those of its controller. */
  readonly for?: Audience | undefined;
  /** In what line its changes wait for their turn (`InTurn`), or that they do not, where that is not as its controller says. */
  readonly inTurn?: LineName | false;
  /** It is let in where the rate of its account refuses it (`Revocation`). */
  readonly isRevocation?: true;
  /** `false`: a POST that has the same effect however often it is sent; every other one that takes a key may have an `Idempotency-Key`. */
  readonly idempotencyKey?: false;
  /** Parameters of the path that do not document themselves as `IdParam` does. */
  readonly params?: readonly ApiParamOptions[];
  readonly consumes?: readonly string[];
  /** A body that need not be sent. The class of one that must be is known by the handler's parameter. */
  readonly optionalBody?: Type;
  /** A body that no class describes, or what documents one. */
  readonly body?: ApiBodyOptions | MethodDecorator;
  readonly produces?: readonly string[];
  /** What it answers with 200. */
  readonly ok?: Answer;
  /** What it answers with 201. */
  readonly created?: Answer;
  /** What it answers with 202. */
  readonly accepted?: Answer;
  /** It answers with 204 and no body, which a sentence may explain. */
  readonly noContent?: true | string;
  /** Its work costs credits, and is refused for want of them. */
  readonly spends?: true;
  /** The refusals of its own work, but those of `IdParam` and `UuidParam`. The documents add by themselves those of every such route (401 without a key, 422 of input, 429 …). */
  readonly errors?: readonly ErrorCode[];
}

/** The class of a body, several where it may be one of them, a description without a class, or a body whose shape depends on the caller. */
export type Answer = Type | readonly Type[] | ApiResponseOptions | ShapedAnswer;

/** What documents an answer that callers get in the shape of their policy. */
export interface ShapedAnswer {
  readonly answersWith: (status: number) => MethodDecorator;
}

interface Needing<Needed> {
  /** The permission that a key needs, or several, of which it needs every one. */
  readonly needs?: Needed | readonly Needed[];
  /** A sentence about what a part of its work needs beyond that: who lacks `needs` learns both at once. */
  readonly mayNeed?: string;
}

/** Where it needs something else than its controller says, or that says nothing. */
type NeedingFacts<Needed> = RouteFacts & Needing<Needed>;

type ReplyOf<Told> = Told extends Type<infer Reply> | readonly Type<infer Reply>[] ? Reply : unknown;
type Answered<Facts, Name extends string> = Facts extends Readonly<Record<Name, infer Told>> ? ReplyOf<Told> : never;

/** What its handler returns: an instance of the class that the documents name; anything, where it may be a file or no class tells of it. */
type Returned<Facts> = Facts extends { readonly produces: readonly string[] }
  ? unknown
  : | Answered<Facts, 'ok'>
    | Answered<Facts, 'created'>
    | Answered<Facts, 'accepted'>
    | (Facts extends { readonly noContent: unknown } ? void : never);

/** Whether a handler answers as the documents say, so that it need not say it again; one that knows less of its answer, an object, fits. */
type Fits<Given, Told> = Given extends Told ? unknown : Told extends Given ? unknown : { readonly answers: Told };

type HandlerDecorator<Told> = <Handler extends (...given: never[]) => unknown>(
  controller: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler> & Fits<Awaited<ReturnType<Handler>>, Told>,
) => void;

/** @param operation its `operationId` */
type RouteOf<Facts> = <const Given extends Facts>(
  path: string,
  operation: string,
  summary: string,
  facts: Given,
) => HandlerDecorator<Returned<Given>>;
type Method = 'get' | 'post' | 'patch' | 'delete';
type Routed<Facts> = Readonly<Record<Method, RouteOf<Facts>>>;

const OF_CREDITS = ['credits_insufficient', 'ceiling_reached', 'key_ceiling_reached'] as const;

const METHODS = { get: Get, post: Post, patch: Patch, delete: Delete } as const;

/** A route that takes the keys of accounts. */
export const Route = routes<NeedingFacts<Permission>>();

/** A route that takes the keys of administrators. */
export const AdminRoute = routes<NeedingFacts<AdminPermission>>();

/** A route that takes no key. */
export const PublicRoute = routes<RouteFacts>(true);

interface ControllerFacts<Needed = Permission> extends Needing<Needed> {
  /** Under which the documents list its routes. */
  readonly tag: string;
  /** The keys that its routes take: those of any account, when it is left out. */
  readonly for?: Audience;
  /** In what line its changes wait for their turn (`InTurn`). */
  readonly inTurn?: LineName;
}

/** A controller whose routes take keys. */
export const Routes = (
  path: string,
  { tag, for: audience, inTurn, needs }: ControllerFacts<Permission | AdminPermission>,
): ClassDecorator =>
  applyDecorators(
    ApiTags(tag),
    ApiBearerAuth(),
    ...(audience === undefined ? [] : [takesKeysOf(audience)]),
    ...(inTurn === undefined ? [] : [InTurn(inTurn)]),
    routesNeed(needs),
    Controller(path),
  );

/** A controller whose routes take no key. @param only the interface whose documents list it; without it, all of accounts do */
export const PublicRoutes = (path: string, { tag, only }: { readonly tag: string; readonly only?: 'full' | 'agent' }) =>
  applyDecorators(ApiTags(tag), ...(only === undefined ? [] : [ApiExtension('x-audience', only)]), Controller(path));

/** What a route needs that the documents do not tell of. */
export const TakesKeysOf = (
  audience: Audience,
  { needs }: { readonly needs: readonly (Permission | AdminPermission)[] },
) => applyDecorators(takesKeysOf(audience), SetMetadata(NEEDS, needs));

/** A controller for administrators, below `admin/v1`. */
export const AdminRoutes = (path: string, facts: Omit<ControllerFacts<AdminPermission>, 'for'>): ClassDecorator =>
  Routes(`admin/v1/${path}`, { ...facts, for: 'admin' });

/** @throws Error for a route of which neither it nor its controller says what it needs: it would let every key in */
function routesNeed(needs: string | readonly string[] | undefined): ClassDecorator {
  return ({ name, prototype }) => {
    for (const { value: handler } of Object.values(Object.getOwnPropertyDescriptors(prototype as object))) {
      if (typeof handler !== 'function' || !Reflect.hasMetadata(PATH_METADATA, handler)) continue;
      if (Reflect.hasMetadata(PUBLIC, handler) || Reflect.hasMetadata(NEEDS, handler)) continue;
      if (needs === undefined) throw new Error(`${name}.${handler.name} does not say what permissions it needs`);
      Reflect.defineMetadata(NEEDS, [needs].flat(), handler);
    }
  };
}

function routes<Facts extends RouteFacts>(isPublic = false): Routed<Facts> {
  const routeOf =
    (method: Method): RouteOf<Facts> =>
    (path, operationId, summary, facts) =>
      applyDecorators(METHODS[method](path), ...decoratorsOf(method, { operationId, summary }, facts, isPublic));
  return { get: routeOf('get'), post: routeOf('post'), patch: routeOf('patch'), delete: routeOf('delete') };
}

function decoratorsOf(
  method: Method,
  operation: ApiOperationOptions,
  facts: NeedingFacts<string>,
  isPublic: boolean,
): MethodDecorator[] {
  const {
    description,
    needs,
    inTurn,
    params = [],
    consumes,
    optionalBody,
    body,
    produces,
    spends,
    errors = [],
  } = facts;
  const decorators: MethodDecorator[] = [
    ApiOperation({ ...operation, ...(description !== undefined && { description }) }),
    ...(isPublic ? [Public()] : []),
    ...(needs === undefined ? [] : [SetMetadata(NEEDS, [needs].flat())]),
    ...params.map((param) => ApiParam(param)),
    ...answersOf(facts),
  ];
  if (!isPublic && method === 'post' && facts.idempotencyKey !== false) decorators.push(ApiIdempotencyKey());
  if (facts.for !== undefined) decorators.push(takesKeysOf(facts.for));
  if (inTurn !== undefined) decorators.push(InTurn(inTurn));
  if (facts.mayNeed !== undefined) decorators.push(SetMetadata(MAY_NEED, facts.mayNeed));
  if (facts.isRevocation) decorators.push(Revocation());
  if (consumes !== undefined) decorators.push(ApiConsumes(...consumes));
  if (optionalBody !== undefined) decorators.push(ApiBody({ type: optionalBody, required: false }));
  if (body !== undefined) decorators.push(typeof body === 'function' ? body : ApiBody(body));
  if (produces !== undefined) decorators.push(ApiProduces(...produces));
  decorators.push(refuses([...(spends ? OF_CREDITS : []), ...errors]));
  return decorators;
}

function refuses(errors: readonly ErrorCode[]): MethodDecorator {
  return (controller, name, descriptor) => {
    const every = [...idRefusalsOf(descriptor.value as object), ...errors];
    if (every.length > 0) ApiExtension('x-errors', every)(controller, name, descriptor);
  };
}

function answersOf({ ok, created, accepted, noContent }: RouteFacts): MethodDecorator[] {
  const answers: readonly (readonly [status: number, answer: Answer | undefined])[] = [
    [200, ok],
    [201, created],
    [202, accepted],
    [204, noContent === undefined ? noContent : { description: noContent === true ? '' : noContent }],
  ];
  const told = answers.filter((row): row is [number, Answer] => row[1] !== undefined);
  return [HttpCode(told[0]![0]), ...told.map(([status, answer]) => documentsOf(status, answer))];
}

function documentsOf(status: number, answer: Answer): MethodDecorator {
  if (typeof answer === 'function') return ApiResponse({ status, type: answer });
  if ('answersWith' in answer) return answer.answersWith(status);
  if (!isSeveral(answer)) return ApiResponse({ ...answer, status });
  const oneOf = answer.map((one) => ({ $ref: getSchemaPath(one) }));
  return applyDecorators(ApiExtraModels(...answer), ApiResponse({ status, schema: { oneOf } }));
}

function isSeveral(answer: Answer): answer is readonly Type[] {
  return Array.isArray(answer);
}

/** The documents tell agents of no route that is for others. */
function takesKeysOf(audience: Audience): ClassDecorator & MethodDecorator {
  const takes = SetMetadata(AUDIENCE, audience);
  if (audience !== 'full' && audience !== 'admin') return takes;
  return applyDecorators(takes, ApiExtension('x-audience', audience));
}
