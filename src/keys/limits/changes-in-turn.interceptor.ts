import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../platform/errors/app-error.js';
import { AroundInterceptor, type Rest } from '../../platform/http/around/around.interceptor.js';
import type { CallerRequest } from '../access/caller.js';
import { AccountTurns } from './account-turns.js';

const IN_TURN = Symbol('IN_TURN');

/**
 * Marks a route, or all of a controller, whose changes lock what they have in common: the account's keys, endpoints, monitors. It does
 * nothing else for long.
 */
export const InTurn = () => SetMetadata(IN_TURN, true);

/** Lets the changes of an account and mode wait for their turn (`AccountTurns`), those of each controller by themselves. */
@Injectable()
export class ChangesInTurnInterceptor extends AroundInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly turns: AccountTurns,
  ) {
    super();
  }

  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const { method, principal } = context.getArgByIndex<CallerRequest>(0);
    if (method === 'GET' || method === 'HEAD' || !principal?.accountId) return rest();
    const of = [context.getHandler(), context.getClass()] as const;
    if (this.reflector.getAllAndOverride<boolean | undefined>(IN_TURN, [...of]) !== true) return rest();
    const { raw } = context.switchToHttp().getResponse<FastifyReply>();
    const gone = new AbortController();
    // Nobody gets this refusal, and it is no fault of ours.
    const leave = () => gone.abort(new AppError('unavailable'));
    raw.once('close', leave);
    const begun = () => {
      raw.off('close', leave);
      return rest();
    };
    return this.turns.run(principal, of[1].name, begun, { signal: gone.signal, isUrgent: method === 'DELETE' });
  }
}
