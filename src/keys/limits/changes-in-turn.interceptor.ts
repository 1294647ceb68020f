import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Semaphore } from '../../async/semaphore.js';
import { AppError } from '../../platform/errors/app-error.js';
import { AroundInterceptor, type Rest } from '../../platform/http/around/around.interceptor.js';
import type { CallerRequest } from '../access/caller.js';

const IN_TURN = Symbol('IN_TURN');

/** Marks a route, or all of a controller, whose changes lock what they have in common: the account's keys, endpoints, monitors. */
export const InTurn = () => SetMetadata(IN_TURN, true);

/** What an account changes and is refused here may be asked again; what waits meanwhile holds its body in memory. */
const MAX_WAITING = 200;
const RETRY_SECONDS = 1;

interface Line {
  readonly turn: Semaphore;
  /** The change under way and those that wait. */
  size: number;
}

/**
 * Lets an account make one change at a time in this process, so that its other changes wait for its lock here and not with a connection to
 * PostgreSQL in hand: 150 at once would take all connections from everybody else. Administrators count as one account.
 */
@Injectable()
export class ChangesInTurnInterceptor extends AroundInterceptor {
  private readonly lines = new Map<string | null, Line>();

  constructor(private readonly reflector: Reflector) {
    super();
  }

  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const { method, principal } = context.getArgByIndex<CallerRequest>(0);
    if (method === 'GET' || method === 'HEAD' || principal === undefined) return rest();
    const marked = this.reflector.getAllAndOverride<boolean | undefined>(IN_TURN, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (marked !== true) return rest();
    return this.inTurn(principal.accountId, rest);
  }

  /** @throws AppError `unavailable` when too many wait */
  private async inTurn(accountId: string | null, rest: Rest): Promise<unknown> {
    const line = this.lines.get(accountId) ?? { turn: new Semaphore(1), size: 0 };
    if (line.size > MAX_WAITING) throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS });
    this.lines.set(accountId, line);
    line.size += 1;
    try {
      return await line.turn.run(rest);
    } finally {
      line.size -= 1;
      if (line.size === 0) this.lines.delete(accountId);
    }
  }
}
