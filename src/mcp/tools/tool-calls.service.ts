import { hash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { CreditsService } from '../../credits/credits.service.js';
import { UsageTally } from '../../credits/usage/usage-tally.js';
import { IdempotencyService } from '../../idempotency/idempotency.service.js';
import { finalRefusal, type StoredReply } from '../../idempotency/stored-reply.js';
import type { Principal } from '../../keys/access/principal.js';
import { rateHeaders, checkAdmission, RateLimitService } from '../../keys/limits/rate-limits.js';
import { checkPermissions } from '../../keys/scope/key-scope.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { AppError, type FieldError, MAX_FIELD_ERRORS } from '../../platform/errors/app-error.js';
import { ERROR_CATALOG, type ErrorCode } from '../../platform/errors/error-catalog.js';
import { toAppError } from '../../platform/errors/error-reply.js';
import { refusesUnknown, checkMembers } from '../../platform/http/known-members.js';
import type { IdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { type McpCaller, mcpUrl } from './mcp-caller.js';
import { failureOf } from './tool-refusals.js';
import { idempotencyKey } from './tool-schemas.js';
import { RETRY_WITHOUT_TIME, type Tool, type ToolCall, type ToolResult } from './tool.js';
import { isBeyondBounds } from '../../platform/http/json-body.js';

/**
 * The arguments of a call, as models write them: null, an empty text, and an empty list where none is needed, mean that a member is left
 * out; a number may be text, and a list may be one text or the JSON of a list. Members that are not of the schema are left out.
 * @throws AppError `invalid_input`
 */
function readArguments<Input extends z.ZodObject>(
  schema: Input,
  given: Readonly<Record<string, unknown>>,
): z.infer<Input> {
  const told = argumentsOf(given).map(([name, value]): [name: string, value: unknown] => [
    name,
    typeof value === 'string' ? readText(schema, name, value) : value,
  ]);
  const isLeftOut = (name: string, value: unknown): boolean =>
    Array.isArray(value) && value.length === 0 && schema.shape[name] instanceof z.ZodOptional;
  const meant = told.filter(([name, value]) => !isLeftOut(name, value));
  const { success, data, error } = schema.safeParse(Object.fromEntries(meant));
  if (success) return data;
  throw new AppError('invalid_input', { fields: error.issues.slice(0, MAX_FIELD_ERRORS).map(fieldError) });
}

/**
 * Refuses what the tool does not know, as REST does.
 * @param refusesAll whether every such argument is refused, or slips alone
 * @throws AppError `invalid_input`
 */
function checkArguments({ shape }: z.ZodObject, given: Readonly<Record<string, unknown>>, refusesAll: boolean): void {
  const known = new Map(Object.keys(shape).map((name) => [name, null]));
  checkMembers(Object.fromEntries(argumentsOf(given)), known, refusesAll);
}

function argumentsOf(given: Readonly<Record<string, unknown>>): (readonly [name: string, value: unknown])[] {
  return Object.entries(given).filter(([, value]) => value !== null && value !== '');
}

function readText(schema: z.ZodObject, name: string, value: string): unknown {
  const field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
  const kind = field instanceof z.ZodOptional ? field.unwrap() : field;
  if (kind instanceof z.ZodNumber) return /^\d{1,16}$/.test(value.trim()) ? Number(value) : value;
  return kind instanceof z.ZodArray ? listOf(value) : value;
}

function listOf(text: string): unknown {
  if (!text.trimStart().startsWith('[')) return [text];
  try {
    const list: unknown = JSON.parse(text);
    return isBeyondBounds(list) ? [text] : list;
  } catch {
    return [text];
  }
}

function fieldError({ path, message }: z.core.$ZodIssue): FieldError {
  const field = path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
  return { field, error: message };
}

const IDEMPOTENCY = z.object({ idempotency_key: idempotencyKey() });

export type Arguments = Readonly<Record<string, unknown>>;

export interface Called {
  readonly structuredContent: Record<string, unknown>;
  readonly isError: boolean;
  /** The first result of an idempotency key, replayed. */
  readonly isReplayed: boolean;
}

/**
 * Calls tools as the edge calls routes: key, permission, rate, permit in flight, idempotency key, input, work
 * (docs/errors.md#what-is-checked-first). `test/mcp/order-of-checks.spec.ts` holds both interfaces to this order.
 */
@Injectable()
export class ToolCallsService {
  private readonly logger = new Logger('Request');

  constructor(
    private readonly rates: RateLimitService,
    private readonly idempotency: IdempotencyService,
    private readonly credits: CreditsService,
    private readonly tally: UsageTally,
    @Inject(ENV) private readonly env: Env,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Never throws: a fault becomes a result that reports it. */
  async call(tool: Tool, given: Arguments, caller: McpCaller): Promise<Called> {
    try {
      if (tool.needsKey !== false) requirePrincipal(caller);
      const { principal } = caller;
      if (principal !== null) checkPermissions(principal.scope.permissions, tool.needs);
      if (principal === null || tool.usesRate === false) return await this.answer(tool, given, caller);
      return await this.admitted(principal, caller, () => this.answer(tool, given, caller));
    } catch (error) {
      return { structuredContent: this.failure(tool, error, caller), isError: true, isReplayed: false };
    }
  }

  private async admitted<T>(principal: Principal, { tell }: McpCaller, work: () => Promise<T>): Promise<T> {
    const admission = await this.rates.admit(principal);
    tell(rateHeaders(principal.policy, admission.states[0]!));
    checkAdmission(admission);
    try {
      return await work();
    } finally {
      await this.rates.release(admission);
    }
  }

  private async answer(tool: Tool, given: Arguments, caller: McpCaller): Promise<Called> {
    const { principal } = caller;
    const takesKey = 'idempotency_key' in tool.input.shape;
    const key = takesKey ? readArguments(IDEMPOTENCY, given).idempotency_key : undefined;
    if (principal === null || key === undefined) {
      const structuredContent = await this.work(tool, given, caller, null);
      return { structuredContent, isError: false, isReplayed: false };
    }
    const { idempotency_key: _, ...asked } = given;
    const fingerprint = hash('sha256', JSON.stringify([tool.name, asked]), 'buffer');
    const request = { requester: principal, route: `tools/call ${tool.name}`, key, fingerprint };
    const { reply, replayed } = await this.idempotency.once(request, (claim) => this.kept(tool, given, caller, claim));
    const structuredContent = JSON.parse(reply.body) as Record<string, unknown>;
    return { structuredContent, isError: reply.status >= 400, isReplayed: replayed };
  }

  private async kept(tool: Tool, given: Arguments, caller: McpCaller, claim: IdempotencyClaim): Promise<StoredReply> {
    try {
      const result = await this.work(tool, given, caller, claim);
      return { status: 200, headers: {}, body: JSON.stringify(result) };
    } catch (error) {
      // A refusal rolls back everything that the work did before it, and only the refusal is kept.
      await claim.rollback();
      const refusal = finalRefusal(error, caller.requestId);
      if (refusal === null) throw error;
      return { ...refusal, body: JSON.stringify(this.failure(tool, error, caller)) };
    }
  }

  private async work(
    tool: Tool,
    given: Arguments,
    caller: McpCaller,
    claim: IdempotencyClaim | null,
  ): Promise<Record<string, unknown>> {
    const call: ToolCall = { ...caller, claim, requirePrincipal: () => requirePrincipal(caller) };
    checkArguments(tool.input, given, refusesUnknown(caller.principal));
    const result = await tool.run(readArguments(tool.input, given), call);
    const remaining = await this.remainingAfter(result, call);
    const { credits_charged = 0, action, retry_after = null, next_step: told = null, ...own } = result;
    const isTimeless = action === 'retry_later' && retry_after === null;
    const next_step = told ?? (isTimeless ? RETRY_WITHOUT_TIME : null);
    return { success: true, ...own, action, retry_after, next_step, credits_charged, credits_remaining: remaining };
  }

  private async remainingAfter(result: ToolResult, { principal, claim }: ToolCall): Promise<number | null> {
    if (result.credits_remaining !== undefined) return result.credits_remaining;
    return principal && (await this.credits.getStatus(principal, claim)).remaining;
  }

  private failure(tool: Tool, thrown: unknown, { principal, requestId, tell }: McpCaller): Record<string, unknown> {
    const error = toAppError(thrown);
    this.tally.addRefusalOf(principal, error.code);
    if (isFaultOfOurs(error.code) && error.details.cause !== undefined)
      this.logger.error(error.details.cause, { tool: tool.name, request_id: requestId });
    const failure = failureOf(error, { requestId, endpoint: mcpUrl(this.env), now: this.clock.now() });
    const { retryAfterSeconds } = error.details;
    if (retryAfterSeconds !== undefined) tell({ 'Retry-After': retryAfterSeconds });
    return failure;
  }
}

/** @throws AppError the reason why there is no principal */
function requirePrincipal({ principal, refusal }: McpCaller): Principal {
  if (principal === null) throw refusal ?? new AppError('key_missing');
  return principal;
}

function isFaultOfOurs(code: ErrorCode): boolean {
  return ERROR_CATALOG[code][0] >= 500;
}
