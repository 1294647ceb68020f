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

/** A member of a ring; the ring's head is a member that waits for nothing. */
interface Waiter {
  before: Waiter;
  after: Waiter;
  readonly grant: () => void;
}

/**
 * Lets at most so many hold a permit at once; the others wait, first come, first served.
 *
 * A permit is free, held, or on its way to a waiter. `release` hands it to the waiter that has waited longest, within the same call, so
 * that no later caller can overtake; without waiters it is free. Hence there is never a free permit and a waiter at once, and
 * nothing has to be woken.
 *
 * A waiter whose signal is aborted leaves the queue at once and rejects with the signal's reason; it neither takes a permit nor holds up
 * the others. A signal that is aborted after the permit was handed over changes nothing: the holder releases it like any other.
 *
 * The queue is a linked ring, because waiters leave it from anywhere: a `Set` from whose front entries are deleted makes V8 walk over
 * the deleted ones each time, and an array moves all that follow.
 */
export class Semaphore {
  #free: number;
  readonly #queue: Waiter;

  /** @param onWait called when a caller has to wait: a holder that does not need its permit may release it */
  constructor(
    permits: number,
    private readonly onWait: () => void = () => {},
  ) {
    this.#free = permits;
    const head = { grant: () => {} } as unknown as Waiter;
    head.before = head;
    head.after = head;
    this.#queue = head;
  }

  /** Rejects with the signal's reason when it is aborted first. */
  async acquire(signal?: CancelSignal): Promise<Permit> {
    await this.#take(signal);
    return this.#permit();
  }

  /** Holds a permit while the task runs. */
  async run<T>(task: () => Promise<T>, signal?: CancelSignal): Promise<T> {
    await this.#take(signal);
    try {
      return await task();
    } finally {
      this.#handOver();
    }
  }

  #take(signal: CancelSignal | undefined): Promise<void> | undefined {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#free === 0) return this.#wait(signal);
    this.#free -= 1;
    return undefined;
  }

  #wait(signal: CancelSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal === undefined) this.#enqueue(resolve);
      else {
        const cancel = (): void => {
          unlink(waiter);
          reject(signal.reason);
        };
        const waiter = this.#enqueue(() => {
          signal.removeEventListener('abort', cancel);
          resolve();
        });
        signal.addEventListener('abort', cancel, { once: true });
      }
      // Called last, so that a permit that it releases goes to this waiter.
      this.onWait();
    });
  }

  #enqueue(grant: () => void): Waiter {
    const head = this.#queue;
    const waiter: Waiter = { before: head.before, after: head, grant };
    head.before.after = waiter;
    head.before = waiter;
    return waiter;
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
    const first = this.#queue.after;
    if (first === this.#queue) {
      this.#free += 1;
      return;
    }
    unlink(first);
    first.grant();
  }
}

function unlink(waiter: Waiter): void {
  waiter.before.after = waiter.after;
  waiter.after.before = waiter.before;
  // A waiter that V8 has promoted would keep all later ones alive until the next full collection.
  waiter.before = waiter;
  waiter.after = waiter;
}
