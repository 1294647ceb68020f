import { Injectable } from '@nestjs/common';
import { Semaphore } from '../../async/semaphore.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { Principal } from '../access/principal.js';

/** What waits holds its body in memory; whoever is refused may ask again. */
const MAX_WAITING = 200;
const RETRY_SECONDS = 1;

interface Line {
  readonly turn: Semaphore;
  /** The change under way and those that wait. */
  size: number;
}

interface Waiting {
  /** Ends the wait: the caller has gone. */
  readonly signal?: AbortSignal;
  /** Goes before the others, such as a revocation. */
  readonly isUrgent?: boolean;
}

/**
 * Lets an account make one change of a kind at a time in this process, so that its others wait for its lock here and not with a connection
 * to PostgreSQL in hand: 150 at once would take all connections from everybody else. Nobody looks anything up elsewhere in a turn, since
 * the others of the line wait for it.
 */
@Injectable()
export class AccountTurns {
  private readonly lines = new Map<string, Line>();

  /**
   * @param of what is changed: changes of something else, of the other mode and of other accounts do not wait
   * @throws AppError `unavailable` when too many wait; the signal's reason
   */
  async run<T>(
    { accountId, simulated }: Pick<Principal, 'accountId' | 'simulated'>,
    of: string,
    work: () => Promise<T>,
    { signal, isUrgent = false }: Waiting = {},
  ): Promise<T> {
    const name = `${accountId} ${simulated} ${of}`;
    const line = this.lines.get(name) ?? { turn: new Semaphore(1), size: 0 };
    if (line.size > MAX_WAITING && !isUrgent) throw new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS });
    this.lines.set(name, line);
    line.size += 1;
    try {
      const permit = await line.turn.acquire(signal, isUrgent ? null : '');
      try {
        return await work();
      } finally {
        permit.release();
      }
    } finally {
      line.size -= 1;
      if (line.size === 0) this.lines.delete(name);
    }
  }
}
