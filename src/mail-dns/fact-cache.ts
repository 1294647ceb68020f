import { LruMap } from '../lib/lru-map.js';
import type { Clock } from '../lib/clock.js';
import type { DnsAnswer } from './domain-dns.js';

/** A fact, and for how long it may be believed. */
export interface Learned<V> {
  readonly value: V;
  readonly lifeSeconds: number;
}

export interface FactCacheOptions {
  readonly clock: Clock;
  /** The least recently used fact is dropped when there would be more. */
  readonly maxEntries: number;
}

interface Fact<V> {
  readonly value: V;
  readonly expiresAt: number;
}

/** Facts by name, each with its own life; a fact that several callers of a line miss at once is learned once. */
export class FactCache<V extends {}> {
  #facts: LruMap<string, Fact<V>>;
  /** Those that are being learned, by line and key: a name of both would cost a new text for each address of a list. */
  readonly #pending = new Map<string, Map<string, Promise<V>>>();

  constructor(private readonly options: FactCacheOptions) {
    this.#facts = new LruMap(options.maxEntries);
  }

  /** The fact if it is known and still fresh. Starts nothing. */
  peek(key: string): V | undefined {
    const fact = this.#facts.get(key);
    return fact !== undefined && fact.expiresAt > this.options.clock.now() ? fact.value : undefined;
  }

  /** The fact that a caller is learning just now. */
  pending(key: string, line = ''): Promise<V> | undefined {
    return this.#pending.get(line)?.get(key);
  }

  /**
   * Learns the fact, or joins the caller that is learning it. Does not look at known facts: `peek` first.
   * @param line a caller joins only callers of its own line: another one's question may wait for long
   */
  learn(key: string, how: (key: string) => Promise<Learned<V>>, line = ''): Promise<V> {
    const known = this.pending(key, line);
    if (known) return known;
    const ofLine = this.#pending.get(line) ?? new Map<string, Promise<V>>();
    this.#pending.set(line, ofLine);
    const learning = this.#learnAndKeep(key, how).finally(() => {
      ofLine.delete(key);
      if (ofLine.size === 0) this.#pending.delete(line);
    });
    ofLine.set(key, learning);
    return learning;
  }

  /** Drops all facts; those being learned just now are kept when they come. */
  clear(): void {
    this.#facts = new LruMap(this.options.maxEntries);
  }

  async #learnAndKeep(key: string, how: (key: string) => Promise<Learned<V>>): Promise<V> {
    const { value, lifeSeconds } = await how(key);
    this.#facts.set(key, { value, expiresAt: this.options.clock.now() + lifeSeconds * 1000 });
    return value;
  }
}

/** Facts are kept a minute at least, so that a batch does not query again for TTL 0, and an hour at most. */
const FOUND_SECONDS = { min: 60, max: 3600 } as const;

/** Node does not show the SOA record that should bound it (RFC 2308 section 5). Short, so that a repaired domain is soon noticed. */
const NEGATIVE_SECONDS = 300;

/** RFC 2308 section 7 allows five minutes. */
const FAILURE_SECONDS = 30;

/** The number of seconds for which an answer may be believed. */
export function answerLife(answer: DnsAnswer<unknown>): number {
  switch (answer.outcome) {
    case 'found':
      return Math.min(Math.max(answer.ttlSeconds, FOUND_SECONDS.min), FOUND_SECONDS.max);
    case 'nxdomain':
    case 'nodata':
      return NEGATIVE_SECONDS;
    case 'servfail':
    case 'timeout':
      return FAILURE_SECONDS;
    case 'untrusted':
      return 0;
  }
}
