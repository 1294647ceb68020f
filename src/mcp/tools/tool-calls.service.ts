import { hash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { CreditsService } from '../../credits/credits.service.js';
import { UsageTally } from '../../credits/usage/usage-tally.js';
import { IdempotencyService } from '../../idempotency/idempotency.service.js';
import { finalRefusal, type KeptReply } from '../../idempotency/kept-reply.js';
import type { Principal } from '../../keys/access/principal.js';
import { rateHeaders } from '../../keys/limits/rate-headers.js';
import { checkAdmission, RateLimitService } from '../../keys/limits/rate-limit.service.js';
import { checkPermissions } from '../../keys/scope/key-scope.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ERROR_CATALOG, type ErrorCode } from '../../platform/errors/error-catalog.js';
import { toAppError } from '../../platform/errors/error-reply.js';
import { refusesUnknown } from '../../platform/http/known-members.js';
import type { IdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { type McpCaller, mcpUrl } from './mcp-caller.js';
import { failureOf } from './tool-failures.js';
import { checkArguments, readArguments } from './tool-input.js';
import { idempotencyKey } from './tool-schemas.js';
import { RETRY_WITHOUT_TIME, type Tool, type ToolCall, type ToolResult } from './tool.js';

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
      if (tool.needsKey) requirePrincipal(caller);
      const { principal } = caller;
      if (principal !== null) checkPermissions(principal.scope.permissions, tool.needs);
      if (principal === null || !tool.usesRate) return await this.answer(tool, given, caller);
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

  private async kept(tool: Tool, given: Arguments, caller: McpCaller, claim: IdempotencyClaim): Promise<KeptReply> {
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
    this.tally.addRefusalOf(principal, ERROR_CATALOG[error.code][0]);
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
