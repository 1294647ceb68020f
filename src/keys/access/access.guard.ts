import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '../../platform/errors/app-error.js';
import { PUBLIC } from '../../platform/http/public.decorator.js';
import { AccessService } from './access.service.js';
import { AUDIENCE, type Audience } from './audience.js';
import type { CallerRequest } from './caller.js';
import { getAccountId, type Principal } from './principal.js';

/** First of the global guards: who is calling, and is this route for them. */
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
    return true;
  }
}

function checkAudience(audience: Audience, principal: Principal): void {
  if (audience === 'admin') {
    if (principal.kind !== 'admin') throw new AppError('admin_required');
    return;
  }
  getAccountId(principal);
  if (audience === 'full' && principal.kind === 'agent') throw new AppError('full_account_required');
}
