import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { Latch } from '../../lib/latch.js';
import { TIMER, type Timer } from '../clock.js';
import { AroundInterceptor, type Rest } from '../http/around.interceptor.js';

/**
 * Counts running requests, and knows when the process is about to stop.
 *
 * It serves, or it drains. `start` makes it drain, for good, and waits until none runs or the limit is over.
 */
@Injectable()
export class Drain {
  private running = 0;
  private readonly stop = new AbortController();
  private readonly changed = new Latch();

  constructor(@Inject(TIMER) private readonly timer: Timer) {}

  get isDraining(): boolean {
    return this.signal.aborted;
  }

  /** Aborted when the process begins to drain: replies that would go on by themselves end. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  begin(): void {
    this.running += 1;
  }

  end(): void {
    this.running -= 1;
    if (this.running === 0) this.changed.notify();
  }

  /** From now on new work is refused. Resolves with the number of requests that still run when the limit is over. */
  async start(limitMs: number): Promise<number> {
    this.stop.abort();
    let isLate = false;
    const cancel = this.timer.after(limitMs, () => {
      isLate = true;
      this.changed.notify();
    });
    await this.changed.until(() => this.running === 0 || isLate);
    cancel();
    return this.running;
  }
}

/** Counts the work itself, which goes on after the caller has hung up. */
@Injectable()
export class DrainInterceptor extends AroundInterceptor {
  constructor(private readonly drain: Drain) {
    super();
  }

  async around(_context: ExecutionContext, rest: Rest): Promise<unknown> {
    this.drain.begin();
    try {
      return await rest();
    } finally {
      this.drain.end();
    }
  }
}
