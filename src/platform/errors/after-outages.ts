import { setTimeout as delay } from 'node:timers/promises';
import { isOutage } from './outage.js';

const EVERY_MS = 500;

interface Patience {
  readonly seconds: number;
  /** Called for the first of outages that say the same. */
  readonly onOutage: (error: Error) => void;
  /** Ends the pause between two tries, and the promise rejects. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does `work`, and begins it again half a second after each outage of PostgreSQL or Redis.
 * @throws what `work` throws: the last outage after `seconds`, any other fault at once
 */
export async function afterOutages<T>(work: () => Promise<T>, { seconds, onOutage, signal }: Patience): Promise<T> {
  const endAt = performance.now() + seconds * 1_000;
  let last: string | null = null;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || performance.now() + EVERY_MS > endAt) throw error;
      const { message } = error as Error;
      if (message !== last) onOutage(error as Error);
      last = message;
    }
    await delay(EVERY_MS, undefined, { signal });
  }
}
