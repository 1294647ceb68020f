import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '../../platform/errors/app-error.js';
import { PUBLIC } from '../../platform/http/public.decorator.js';
import { AccessService } from './access.service.js';
import { AUDIENCE, type Audience } from './audience.js';
import type { CallerRequest } from './caller.js';
import { checkPermission } from '../scope/route-permissions.js';
import { getAccountId, type Principal } from './principal.js';

/** First of the global guards: who is calling, is this route for them, and has the key its permission. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly access: AccessService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, targets)) return true;
    const request = context.switchToHttp().getRequest<CallerRequest>();
    request.principal = await this.access.authenticate(request.headers.authorization, request.ip);
    const audience = this.reflector.getAllAndOverride<Audience | undefined>(AUDIENCE, targets) ?? 'account';
    checkAudience(audience, request.principal);
    checkPermission(request.principal.scope.permissions, routeOf(request));
    return true;
  }
}

/** The framework answers HEAD with the route of GET (RFC 9110 section 9.3.2). */
function routeOf({ method, routeOptions }: CallerRequest): string {
  return `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url}`;
}

function checkAudience(audience: Audience, principal: Principal): void {
  if (audience === 'admin') {
    if (principal.kind !== 'admin') throw new AppError('admin_required');
    return;
  }
  getAccountId(principal);
  if (audience === 'full' && principal.kind === 'agent') throw new AppError('full_account_required');
}
