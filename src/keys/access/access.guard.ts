import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ENV, type Env } from '../../platform/config/env.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { FastifyReply } from 'fastify';
import { PUBLIC } from '../../platform/http/public.decorator.js';
import { AccessService } from './access.service.js';
import { AUDIENCE, type Audience, MAY_NEED, needsOf } from './audience.js';
import type { CallerRequest } from './caller.js';
import { isReading, isSameOrigin, SESSION_VARY, sessionIdIn } from './session-cookie.js';
import { SessionsService } from './sessions.service.js';
import { checkPermissions } from '../scope/key-scope.js';
import { getAccountId, type Principal } from './principal.js';

/** What a route asks of its callers. */
interface Demands {
  readonly audience: Audience;
  readonly needs: readonly string[];
  readonly mayNeed: string | undefined;
}

/** First of the global guards: who is calling, is this route for them, and has the key its permission. */
@Injectable()
export class AccessGuard implements CanActivate {
  /** By handler: what its decorators say is looked up once. */
  private readonly demands = new Map<unknown, Demands | null>();

  constructor(
    private readonly access: AccessService,
    private readonly sessions: SessionsService,
    private readonly reflector: Reflector,
    @Inject(ENV) private readonly env: Env,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const demands = this.demandsOf(context);
    if (demands === null) return true;
    const request = context.getArgByIndex<CallerRequest>(0);
    if (request.headers.authorization === undefined)
      context.getArgByIndex<FastifyReply>(1).header('Vary', SESSION_VARY);
    const { audience, needs, mayNeed } = demands;
    const principal = await this.identify(request);
    request.principal = { ...principal, trace: { id: request.traceId, requestId: request.id } };
    checkAudience(audience, request.principal);
    checkPermissions(principal.scope.permissions, needs, mayNeed);
    request.checkAccess = async () => checkPermissions((await this.identify(request)).scope.permissions, needs);
    return true;
  }

  /** Null: it is for everybody. */
  private demandsOf(context: ExecutionContext): Demands | null {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    let demands = this.demands.get(handler);
    if (demands === undefined) {
      const targets = [handler, controller];
      const isPublic = this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, targets) ?? false;
      const audience = this.reflector.getAllAndOverride<Audience | undefined>(AUDIENCE, targets) ?? 'account';
      const mayNeed = this.reflector.get<string | undefined>(MAY_NEED, handler);
      demands = isPublic ? null : { audience, needs: needsOf(handler), mayNeed };
      this.demands.set(handler, demands);
    }
    return demands;
  }

  /** A key in the header is meant; the cookie comes by itself. @throws AppError as `AccessService.authenticate` and `SessionsService.authenticate` do */
  async identify(request: CallerRequest): Promise<Principal> {
    const { headers, ip, method } = request;
    const id = headers.authorization === undefined ? sessionIdIn(headers.cookie, this.env.publicUrl) : null;
    if (id === null) return this.access.authenticate(headers.authorization, ip);
    if (!isSameOrigin(method, headers, this.env.publicUrl)) throw new AppError('key_missing', { message: FOREIGN });
    const { principal, expiresAt } = await this.sessions.authenticate(id, ip, isReading(method));
    request.sessionExpiresAt = expiresAt;
    return principal;
  }
}

const FOREIGN = 'The session of the console works from its own pages only. Send a key: Authorization: Bearer ms_live_…';

function checkAudience(audience: Audience, principal: Principal): void {
  if (audience === 'admin') {
    if (principal.kind !== 'admin') throw new AppError('admin_required');
    return;
  }
  if (audience === 'any') return;
  getAccountId(principal);
  if (audience === 'full' && principal.kind === 'agent') throw new AppError('full_account_required');
}
