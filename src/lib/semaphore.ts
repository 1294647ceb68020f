import { Turns } from './turns.js';

/** What a semaphore needs of an `AbortSignal`, which is one; the engine has a cheaper one. */
export interface CancelSignal {
  readonly aborted: boolean;
  /** The error that a cancelled `acquire` rejects with. */
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface Permit {
  /** Gives the permit back. A second call does nothing. */
  release(): void;
}

/**
 * Lets at most so many hold a permit at once; the others wait and take turns (`Turns`): first come, first served within a turn.
 *
 * A permit is free, held, or on its way to a waiter. `release` hands it to the waiter whose turn it is, within the same call, so
 * that no later caller of the turn can overtake; without waiters it is free. Hence there is never a free permit and a waiter at once, and
 * nothing has to be woken.
 *
 * A waiter whose signal is aborted leaves the queue at once and rejects with the signal's reason; it neither takes a permit nor holds up
 * the others. A signal that is aborted after the permit was handed over changes nothing: the holder releases it like any other.
 */
export class Semaphore {
  #free: number;
  /** Members grant the permit. */
  readonly #waiting = new Turns<() => void>();

  constructor(permits: number) {
    this.#free = permits;
  }

  /**
   * Rejects with the signal's reason when it is aborted first.
   * @param turn callers take turns by this name; null: before those that have one
   */
  async acquire(signal?: CancelSignal, turn: string | null = ''): Promise<Permit> {
    await this.#take(signal, turn);
    return this.#permit();
  }

  /** Holds a permit while the task runs. */
  async run<T>(task: () => Promise<T>, turn: string | null = ''): Promise<T> {
    await this.#take(undefined, turn);
    try {
      return await task();
    } finally {
      this.#handOver();
    }
  }

  #take(signal: CancelSignal | undefined, turn: string | null): Promise<void> | undefined {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#free === 0) return this.#wait(signal, turn);
    this.#free -= 1;
    return undefined;
  }

  #wait(signal: CancelSignal | undefined, turn: string | null): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal === undefined) return void this.#waiting.add(resolve, turn);
      const cancel = (): void => {
        this.#waiting.delete(place);
        reject(signal.reason);
      };
      const grant = (): void => {
        signal.removeEventListener('abort', cancel);
        resolve();
      };
      const place = this.#waiting.add(grant, turn);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  #permit(): Permit {
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#handOver();
      },
    };
  }

  #handOver(): void {
    const grant = this.#waiting.take();
    if (grant === null) this.#free += 1;
    else grant();
  }
}
