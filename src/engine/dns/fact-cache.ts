import type { Clock } from '../ports.js';
import { RecentMap } from './recent-map.js';

/** What a question came to, and for how long that may be believed. */
export interface Learned<V> {
  readonly value: V;
  readonly lifeSeconds: number;
}

export interface FactCacheOptions {
  readonly clock: Clock;
  /** The least recently used fact goes when there would be more. */
  readonly maxEntries: number;
}

interface Fact<V> {
  readonly value: V;
  readonly expiresAt: number;
}

/** Facts by name, each with its own life; a fact that several callers miss at once is learned once. */
export class FactCache<V> {
  private readonly facts: RecentMap<Fact<V>>;
  private readonly learning = new Map<string, Promise<V>>();

  constructor(private readonly options: FactCacheOptions) {
    this.facts = new RecentMap(options.maxEntries);
  }

  /** The fact if it is known and still fresh. Asks nothing. */
  peek(key: string): V | undefined {
    const fact = this.facts.get(key);
    return fact !== undefined && fact.expiresAt > this.options.clock.now() ? fact.value : undefined;
  }

  /** What somebody is learning just now. */
  underWay(key: string): Promise<V> | undefined {
    return this.learning.get(key);
  }

  /** Learns the fact, or joins whoever is learning it. Does not look at what is known: `peek` first. */
  learn(key: string, how: (key: string) => Promise<Learned<V>>): Promise<V> {
    const underWay = this.underWay(key);
    if (underWay) return underWay;
    const learning = this.learnAndKeep(key, how).finally(() => this.learning.delete(key));
    this.learning.set(key, learning);
    return learning;
  }

  private async learnAndKeep(key: string, how: (key: string) => Promise<Learned<V>>): Promise<V> {
    const { value, lifeSeconds } = await how(key);
    this.facts.set(key, { value, expiresAt: this.options.clock.now() + lifeSeconds * 1000 });
    return value;
  }
}
