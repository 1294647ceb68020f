import { Turns } from '../../../lib/turns.js';
import type { CancelSignal, Permit } from '../../../lib/semaphore.js';

/** Sockets that no list gets: a single verification has seconds, and a silent mail host holds its socket for half a minute and longer. */
const SHARE_OF_SINGLE = 1 / 10;
/** A list's turn has at most so many sockets for each one that it leaves to others, so that many of them find some. */
const HELD_FOR_EACH_LEFT = 3;

/**
 * The sockets of a process. Waiters take turns (`Turns`), and nobody who holds one can be made to give it back, so what others will need is
 * kept free: a list of hosts that accept connections and say nothing would have them all at once, and give them back all at once.
 *
 * A single verification, which has no turn, may take any free socket. A turn may take one where more are free than single verifications
 * keep, up to its share of these: alone it has two thirds of all.
 *
 * A waiter waits, holds a permit, or was cancelled. Only those wait who may take none: `acquire` and `release` look for all that may.
 */
export class SocketPermits {
  #free: number;
  readonly #ofSingle: number;
  /** Permits that are held, by turn. */
  readonly #held = new Map<string, number>();
  readonly #waiting = new Turns<() => void>();

  /** @param onWait called when a caller has to wait: a holder that does not need its permit may release it */
  constructor(
    sockets: number,
    private readonly onWait: () => void = () => {},
  ) {
    this.#free = sockets;
    this.#ofSingle = Math.floor(sockets * SHARE_OF_SINGLE);
  }

  /** Somebody waits for a permit. */
  get isWaitedFor(): boolean {
    return this.#waiting.size > 0;
  }

  /** Rejects with the signal's reason when it is aborted first. */
  async acquire(signal: CancelSignal, turn: string | null): Promise<Permit> {
    if (signal.aborted) throw signal.reason as Error;
    if (this.#mayTake(turn)) this.#take(turn);
    else await this.#wait(signal, turn);
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#giveBack(turn);
      },
    };
  }

  #wait(signal: CancelSignal, turn: string | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#waiting.delete(place);
        reject(signal.reason);
      };
      const grant = (): void => {
        signal.removeEventListener('abort', cancel);
        this.#take(turn);
        resolve();
      };
      const place = this.#waiting.add(grant, turn);
      signal.addEventListener('abort', cancel, { once: true });
      // Called last, so that a permit that it releases goes to this waiter.
      this.onWait();
    });
  }

  #mayTake(turn: string | null): boolean {
    if (turn === null) return this.#free > 0;
    const left = this.#free - this.#ofSingle;
    return left > 0 && (this.#held.get(turn) ?? 0) < HELD_FOR_EACH_LEFT * left;
  }

  #take(turn: string | null): void {
    this.#free -= 1;
    if (turn !== null) this.#held.set(turn, (this.#held.get(turn) ?? 0) + 1);
  }

  #giveBack(turn: string | null): void {
    this.#free += 1;
    if (turn !== null) {
      const held = this.#held.get(turn)! - 1;
      if (held === 0) this.#held.delete(turn);
      else this.#held.set(turn, held);
    }
    for (let grant = this.#next(); grant !== null; grant = this.#next()) grant();
  }

  #next(): (() => void) | null {
    return this.#waiting.take((turn) => this.#mayTake(turn));
  }
}
