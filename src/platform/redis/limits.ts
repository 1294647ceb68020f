/** The limits of one admission are decided by one call, so their keys share the text in their braces. */
export type Limit =
  /** At most `requests` in any `windowMs`. */
  | { readonly kind: 'window'; readonly key: string; readonly requests: number; readonly windowMs: number }
  /** At most `burst` at once, `perSecond` sustained. */
  | { readonly kind: 'bucket'; readonly key: string; readonly perSecond: number; readonly burst: number }
  /** At most `permits` running; a permit comes back by `release`, or by itself when its process is gone. */
  | { readonly kind: 'permits'; readonly key: string; readonly permits: number };

/** No limit: gives the permit of a request back. */
export interface Release {
  readonly kind: 'release';
  readonly key: string;
}

export interface LimitState {
  /** How many more would be admitted now. */
  readonly remaining: number;
  /** Milliseconds until one more is admitted than `remaining` says; 0 for permits, whose return nobody can predict. */
  readonly resetMs: number;
}

export interface Admission {
  readonly id: string;
  /** The first limit that refused; null when admitted. */
  readonly refusedBy: Limit | null;
  /** Milliseconds until all limits that have no room now have some; 0 when admitted. */
  readonly waitMs: number;
  /** One for each limit, in their order. */
  readonly states: readonly LimitState[];
}

/** Who counts: Redis for all processes (`RateLimiter`), or a process alone. */
export abstract class Limiter {
  /**
   * Uses every limit by one, or none when one of them has no room. Rejects where nothing can be counted, so that no caller is ever
   * unlimited.
   */
  abstract admit(limits: readonly Limit[]): Promise<Admission>;

  /** Gives the admission's permit back. Never throws. */
  abstract release(admission: Admission): Promise<void>;
}

/** A permit of a killed process is free again after this long; running requests renew theirs three times in it. */
export const LEASE_MS = 15_000;

/**
 * The limit that a throttler asks for.
 * @param name of the throttler: its algorithm
 * @param ttlMs the length of a window, or the time in which a token bucket refills
 */
export function rateLimit(name: string, key: string, limit: number, ttlMs: number): Limit {
  // Rounded, because the division gives 9.999…8 for some bursts of a rate of 10.
  if (name === 'bucket')
    return { kind: name, key, perSecond: Number(((limit * 1000) / ttlMs).toFixed(6)), burst: limit };
  return { kind: 'window', key, requests: limit, windowMs: ttlMs };
}

/** The part of a key that decides its slot in a cluster (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags). */
export function tagOf(key: string): string {
  const start = key.indexOf('{');
  const end = key.indexOf('}', start + 1);
  return start === -1 || end <= start + 1 ? key : key.slice(start + 1, end);
}

/** The time until the last of the exhausted limits has room again, because only then another try makes sense. */
export function waitOf(states: readonly LimitState[]): number {
  return Math.max(...states.filter(({ remaining }) => remaining === 0).map(({ resetMs }) => resetMs));
}

export function toArguments(limit: Limit | Release, count: number): [kind: string, a: number, b: number] {
  const kind = count > 1 ? `${limit.kind}:${count}` : limit.kind;
  if (limit.kind === 'window') return [limit.kind, limit.requests, limit.windowMs];
  if (limit.kind === 'release') return [limit.kind, 0, 0];
  if (limit.kind === 'permits') return [kind, limit.permits, LEASE_MS];
  // Rounded up, so that the sustained rate is never above what was promised.
  return [kind, limit.burst, Math.ceil(1_000_000 / limit.perSecond)];
}
