import type { Timer } from './clock.js';
import { LruMap } from './lru-map.js';

interface Reading<V> {
  readonly value: Promise<V | null>;
  readonly beganAt: number;
}

export interface ReadMemoOptions {
  readonly maxEntries: number;
  /** The longest time for which a value is used, from the moment its reading began. */
  readonly believedMs: number;
  /** A monotonic clock. */
  now(): number;
  readonly timer: Timer;
}

/**
 * Parts of a value's time: when its use begins to count, how long others in use are waited for, when it is read again at the latest, and how
 * long is waited at least, so that readings that fail do not follow one another at once.
 */
const IN_USE = 0.2;
const TOGETHER = 0.5;
const LATEST = 0.8;
const EARLIEST = 0.05;
/** Values that are read together. */
const MAX_TOGETHER = 500;

/**
 * Remembers what was read of something that others may change, for a short time, and reads what is in use again before that time ends: all
 * together, so that nobody waits for a value in use, and the number of readings does not grow with that of the values.
 *
 * Readings are kept, not values: many who ask at once share one, and one that is forgotten while it runs is not kept when it ends. A
 * reading that fails is kept for nobody, and one that finds nothing neither, so that made-up names cannot fill the memo.
 */
export class ReadMemo<V extends {}> {
  readonly #readings: LruMap<string, Reading<V>>;
  readonly #inUse = new Map<string, Reading<V>>();
  /** One reading of what is in use at a time, however slow it is. */
  #isReading = false;

  /** @param readAll gives a value or null for each name, in their order */
  constructor(
    private readonly readAll: (names: readonly string[]) => Promise<readonly (V | null)[]>,
    private readonly options: ReadMemoOptions,
  ) {
    this.#readings = new LruMap(options.maxEntries);
  }

  /** @param read reads the value when the memo does not know it */
  find(name: string, read: () => Promise<V | null>): Promise<V | null> {
    const { believedMs } = this.options;
    const now = this.options.now();
    const known = this.#readings.get(name);
    if (known !== undefined && now - known.beganAt <= believedMs) {
      if (now - known.beganAt > believedMs * IN_USE) this.#readSoon(name, known, now);
      return known.value;
    }
    const reading = { value: read(), beganAt: now };
    this.#keep(name, reading);
    return reading.value;
  }

  forget(name: string): void {
    this.#readings.delete(name);
  }

  #keep(name: string, reading: Reading<V>): void {
    this.#readings.set(name, reading);
    const drop = (): void => {
      if (this.#readings.get(name) === reading) this.#readings.delete(name);
    };
    reading.value.then((value) => value === null && drop(), drop);
  }

  #readSoon(name: string, reading: Reading<V>, now: number): void {
    this.#inUse.set(name, reading);
    if (this.#isReading) return;
    this.#isReading = true;
    const { believedMs, timer } = this.options;
    const latestInMs = reading.beganAt + believedMs * LATEST - now;
    timer.after(
      Math.max(believedMs * EARLIEST, Math.min(believedMs * TOGETHER, latestInMs)),
      () => void this.#readAgain(),
    );
  }

  async #readAgain(): Promise<void> {
    const inUse = [...this.#inUse];
    for (let from = 0; from < inUse.length; from += MAX_TOGETHER) {
      const some = inUse.slice(from, from + MAX_TOGETHER);
      const beganAt = this.options.now();
      // Whoever asks after its time reads a value that could not be read here, and is told why.
      const values = await this.readAll(some.map(([name]) => name)).catch(() => null);
      if (values === null) break;
      some.forEach(([name, old], i) => {
        // One that was forgotten meanwhile, or read again, is not what was read here.
        if (this.#readings.get(name) !== old) return;
        this.#keep(name, { value: Promise.resolve(values[i] ?? null), beganAt });
      });
    }
    // What was used meanwhile is, when it is used the next time.
    this.#inUse.clear();
    this.#isReading = false;
  }
}
