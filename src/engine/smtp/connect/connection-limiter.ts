import { MINUTE_MS } from '../../../lib/durations.js';
import { Turns } from '../../../lib/turns.js';
import type { ConnectionLimiter, HostCaps } from '../../ports.js';
import type { CancelSignal, Permit } from '../../../lib/semaphore.js';
import type { Clock } from '../../../lib/clock.js';

interface HostQueue {
  open: number;
  /** When the connections of the last minute were opened, oldest first. */
  readonly opened: number[];
  readonly waiting: Turns<Waiter>;
  cancelTimer: (() => void) | null;
}

interface Waiter {
  readonly caps: HostCaps;
  readonly grant: () => void;
}

/**
 * The `ConnectionLimiter` of one process: its waiters take turns.
 *
 * What: each host, or operator, has a queue of waiters and two caps, on connections that are open and on those opened in any minute.
 *
 * States: a waiter waits, holds a permit, or was cancelled. A queue grants permits when a waiter comes, when a permit is released and,
 * where only the minute's cap stands in the way, when its timer fires.
 *
 * Invariants: the waiter whose turn it is is granted first, also when a later one has wider caps. There is a timer only while
 * somebody waits. A queue that has nothing to count is forgotten.
 *
 * Failure: a cancelled waiter leaves at once, rejects with its signal's reason and takes no permit. Nothing else can fail.
 */
export class MemoryConnectionLimiter implements ConnectionLimiter {
  readonly #queues = new Map<string, HostQueue>();

  constructor(private readonly clock: Clock) {}

  acquire(
    operator: string,
    caps: HostCaps,
    signal: CancelSignal,
    turn: string | null = null,
    source: string | null = null,
  ): Promise<Permit> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const host = source === null ? operator : `${operator}@${source}`;
    const queue = this.#queues.get(host) ?? { open: 0, opened: [], waiting: new Turns(), cancelTimer: null };
    this.#queues.set(host, queue);
    return new Promise((resolve, reject) => {
      const cancel = () => {
        queue.waiting.delete(place);
        if (queue.waiting.size === 0) this.#stopTimer(queue);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        caps,
        grant: () => {
          signal.removeEventListener('abort', cancel);
          resolve({ release: () => this.#release(host, queue) });
        },
      };
      signal.addEventListener('abort', cancel, { once: true });
      const place = queue.waiting.add(waiter, turn);
      this.#grant(queue);
    });
  }

  #release(host: string, queue: HostQueue): void {
    queue.open -= 1;
    this.#grant(queue);
    if (queue.open === 0 && queue.waiting.size === 0 && queue.opened.length === 0) this.#queues.delete(host);
  }

  #grant(queue: HostQueue): void {
    for (let waiter = queue.waiting.first; waiter !== null; waiter = queue.waiting.first) {
      if (queue.open >= waiter.caps.connections) return;
      const waitMs = this.#waitMs(queue, waiter.caps);
      if (waitMs > 0) {
        queue.cancelTimer ??= this.clock.after(waitMs, () => {
          queue.cancelTimer = null;
          this.#grant(queue);
        });
        return;
      }
      queue.waiting.take();
      queue.open += 1;
      if (waiter.caps.connectionsPerMinute !== null) queue.opened.push(this.clock.now());
      waiter.grant();
    }
  }

  #stopTimer(queue: HostQueue): void {
    queue.cancelTimer?.();
    queue.cancelTimer = null;
  }

  #waitMs(queue: HostQueue, caps: HostCaps): number {
    if (caps.connectionsPerMinute === null) return 0;
    const now = this.clock.now();
    while (queue.opened.length > 0 && queue.opened[0]! <= now - MINUTE_MS) queue.opened.shift();
    return queue.opened.length < caps.connectionsPerMinute ? 0 : queue.opened[0]! + MINUTE_MS - now;
  }
}
