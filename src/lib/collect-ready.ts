import { Latch } from './latch.js';

/**
 * Reads items as they come and yields them in groups: each group holds all that have come since the group before was taken.
 *
 * Two loops share the group that is being collected. The reader takes items from the source, adds them and wakes the consumer; it never
 * waits for the consumer, so the source must bound what it gives ahead. The consumer takes the group as soon as it has an item, and waits
 * while it has none.
 *
 * Nothing is lost, and everything comes in order: when the source ends, or fails, the consumer first gets what came before that. A
 * consumer that wants no more stops the source, and the iteration ends when the source has ended; the source's failure is then nobody's
 * concern.
 *
 * @param stop makes the source end soon; called in any case, once, when the iteration ends
 */
export async function* collectReady<T>(items: AsyncIterable<T>, stop: () => void): AsyncGenerator<T[], void> {
  const changed = new Latch();
  let group: T[] = [];
  let isOver = false;

  async function read(): Promise<void> {
    for await (const item of items) if (group.push(item) === 1) changed.notify();
  }

  const reading = read().finally(() => {
    isOver = true;
    changed.notify();
  });
  // The failure is rethrown by `await reading` below; this only silences the warning about an unhandled rejection.
  reading.catch(() => undefined);
  try {
    for (;;) {
      await changed.until(() => group.length > 0 || isOver);
      if (group.length === 0) return await reading;
      const ready = group;
      group = [];
      yield ready;
    }
  } finally {
    stop();
    await reading.catch(() => undefined);
  }
}
