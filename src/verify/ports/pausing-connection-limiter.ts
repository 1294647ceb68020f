import type { ConnectionLimiter, HostCaps } from '../../engine/ports.js';
import type { CancelSignal, Permit } from '../../lib/semaphore.js';

const PAUSED = 'An administrator of this service has paused connections to this mail operator.';

/**
 * Grants no permit for an operator that is paused: what waits for one is answered at once, which says nothing about any mailbox, and
 * batches try again later as after any temporary failure. Connections that are open go on to their end.
 */
export class PausingConnectionLimiter implements ConnectionLimiter {
  constructor(
    private readonly limiter: ConnectionLimiter,
    private readonly isPaused: (operator: string) => boolean,
  ) {}

  async acquire(
    operator: string,
    caps: HostCaps,
    signal: CancelSignal,
    turn: string | null = null,
    source: string | null = null,
  ): Promise<Permit> {
    if (this.isPaused(operator)) throw new Error(PAUSED);
    const permit = await this.limiter.acquire(operator, caps, signal, turn, source);
    // It may have been paused while this one waited.
    if (!this.isPaused(operator)) return permit;
    permit.release();
    throw new Error(PAUSED);
  }
}
