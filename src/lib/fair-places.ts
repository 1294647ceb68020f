import { Turns } from './turns.js';

/** Of the places that are free: a holder that is alone gets a third of all places, and eight of them leave some. */
const SHARE_OF_FREE = 1 / 2;

interface Waiter {
  readonly holder: string | null;
  readonly begin: () => void;
}

/**
 * Places for tasks that may take long, such as questions to name servers that never answer. A holder takes no further place once it holds half
 * as many as are free, so that whoever holds none finds one, whatever some others have in work. Those that wait take turns by holder.
 *
 * Nobody waits who may take a place: each change that gives somebody one hands it over within the same call.
 */
export class FairPlaces {
  readonly #held = new Map<string | null, number>();
  readonly #waiting = new Turns<Waiter>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Holds a place while the task runs. @param holder null: it goes before the others, and takes every place that is free */
  async run<T>(task: () => Promise<T>, holder: string | null): Promise<T> {
    if (this.#mayTake(holder)) this.#take(holder);
    else await new Promise<void>((begin) => this.#waiting.add({ holder, begin }, holder));
    try {
      return await task();
    } finally {
      this.#leave(holder);
    }
  }

  #mayTake(holder: string | null): boolean {
    if (holder === null) return this.#free > 0;
    return (this.#held.get(holder) ?? 0) < this.#free * SHARE_OF_FREE;
  }

  #take(holder: string | null): void {
    this.#free -= 1;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1);
  }

  #leave(holder: string | null): void {
    this.#free += 1;
    const left = this.#held.get(holder)! - 1;
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
    const mayTake = (turn: string | null) => this.#mayTake(turn);
    for (let next = this.#waiting.take(mayTake); next !== null; next = this.#waiting.take(mayTake)) {
      this.#take(next.holder);
      next.begin();
    }
  }
}
