import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AroundInterceptor, type Rest } from '../../platform/http/around.interceptor.js';
import { onReplyEnd } from '../../platform/http/reply-end.js';
import type { CallerRequest } from '../access/caller.js';
import { AccountTurns, refusal } from './account-turns.js';

const IN_TURN = Symbol('IN_TURN');

/**
 * Marks a route, or all of a controller, whose changes lock what they have in common: the account's keys, endpoints, monitors. It does
 * nothing else for long; a route of a marked controller that does says `false`.
 */
export const InTurn = (isInTurn = true) => SetMetadata(IN_TURN, isInTurn);

/**
 * Lets the requests of an account wait for their turn (`AccountTurns`): marked changes of a mode, those of each controller by themselves, and
 * all reads. A reply that streams gives its turn back when its first byte can be sent.
 */
@Injectable()
export class InTurnInterceptor extends AroundInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly turns: AccountTurns,
  ) {
    super();
  }

  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const { method, principal } = context.getArgByIndex<CallerRequest>(0);
    if (principal === undefined) return rest();
    const gone = () => goneSignal(context);
    if (method === 'GET' || method === 'HEAD') return this.turns.read(principal, rest, { gone });
    const of = [context.getHandler(), context.getClass()] as const;
    if (this.reflector.getAllAndOverride<boolean | undefined>(IN_TURN, [...of]) !== true) return rest();
    return this.turns.change(principal, of[1].name, rest, { gone, isUrgent: method === 'DELETE' });
  }
}

function goneSignal(context: ExecutionContext): AbortSignal {
  const gone = new AbortController();
  const { raw } = context.getArgByIndex<FastifyRequest>(0);
  onReplyEnd(raw, context.getArgByIndex<FastifyReply>(1).raw, () => gone.abort(refusal()));
  return gone.signal;
}
