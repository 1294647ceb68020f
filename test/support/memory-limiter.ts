import { type Admission, type Limit, Limiter, type LimitState, waitOf } from '../../src/platform/redis/limits.js';

interface Count {
  /** When each request of a window was admitted. */
  entries: number[];
  tokens: number;
  filledAt: number;
  running: Set<string>;
}

/** Counts in this process, by the clock of a test: for specs of a feature that is limited, and not of the limits. */
export class MemoryLimiter extends Limiter {
  readonly #counts = new Map<string, Count>();
  #admissions = 0;

  constructor(private readonly now: () => number) {
    super();
  }

  admit(limits: readonly Limit[]): Promise<Admission> {
    const id = `${++this.#admissions}`;
    const before = limits.map((limit) => this.#state(limit));
    const refused = before.findIndex(({ remaining }) => remaining === 0);
    if (refused >= 0)
      return Promise.resolve({ id, refusedBy: limits[refused]!, waitMs: waitOf(before), states: before });
    for (const limit of limits) this.#use(limit, id);
    return Promise.resolve({ id, refusedBy: null, waitMs: 0, states: limits.map((limit) => this.#state(limit)) });
  }

  release({ id }: Admission): Promise<void> {
    for (const { running } of this.#counts.values()) running.delete(id);
    return Promise.resolve();
  }

  #of(limit: Limit): Count {
    let count = this.#counts.get(limit.key);
    if (count === undefined) {
      const tokens = limit.kind === 'bucket' ? limit.burst : 0;
      this.#counts.set(limit.key, (count = { entries: [], tokens, filledAt: this.now(), running: new Set() }));
    }
    return count;
  }

  #use(limit: Limit, id: string): void {
    const count = this.#of(limit);
    if (limit.kind === 'window') count.entries.push(this.now());
    else if (limit.kind === 'bucket') count.tokens -= 1;
    else count.running.add(id);
  }

  #state(limit: Limit): LimitState {
    const count = this.#of(limit);
    const now = this.now();
    if (limit.kind === 'permits') return { remaining: Math.max(0, limit.permits - count.running.size), resetMs: 0 };
    if (limit.kind === 'window') {
      count.entries = count.entries.filter((at) => now - at < limit.windowMs);
      const leaving = count.entries[Math.max(0, count.entries.length - limit.requests)];
      const resetMs = leaving === undefined ? limit.windowMs : leaving + limit.windowMs - now;
      return { remaining: Math.max(0, limit.requests - count.entries.length), resetMs };
    }
    count.tokens = Math.min(limit.burst, count.tokens + ((now - count.filledAt) / 1000) * limit.perSecond);
    count.filledAt = now;
    return {
      remaining: Math.floor(count.tokens),
      resetMs: Math.ceil(((1 - (count.tokens % 1)) / limit.perSecond) * 1000),
    };
  }
}
