import { Injectable } from '@nestjs/common';

/** Knows what runs, and when the process is about to stop. */
@Injectable()
export class Drain {
  private running = 0;
  private stopping = false;
  private wake: (() => void) | null = null;

  get isDraining(): boolean {
    return this.stopping;
  }

  begin(): void {
    this.running += 1;
  }

  end(): void {
    this.running -= 1;
    if (this.running === 0) this.wake?.();
  }

  /** From now on new work is refused. Resolves with the number of requests that still ran when the time was over. */
  async start(limitMs: number): Promise<number> {
    this.stopping = true;
    if (this.running === 0) return 0;
    const { promise, resolve } = untilResolved();
    this.wake = resolve;
    const timer = setTimeout(resolve, limitMs);
    await promise;
    clearTimeout(timer);
    return this.running;
  }
}

function untilResolved(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
