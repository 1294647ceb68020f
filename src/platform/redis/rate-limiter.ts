import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Redis } from 'ioredis';
import { ADMIT_SCRIPT, RENEW_SCRIPT } from './admit-script.js';
import { defineScript } from './lua-script.js';
import { REDIS } from './redis.module.js';

export type Limit =
  /** At most `requests` in any `windowMs`. */
  | { readonly kind: 'window'; readonly key: string; readonly requests: number; readonly windowMs: number }
  /** At most `burst` at once, `perSecond` sustained. */
  | { readonly kind: 'bucket'; readonly key: string; readonly perSecond: number; readonly burst: number }
  /** At most `places` running; a place comes back by `release`, or by itself when its process is gone. */
  | { readonly kind: 'slots'; readonly key: string; readonly places: number };

export interface LimitState {
  /** How many more would be admitted now. */
  readonly remaining: number;
  /** Milliseconds until one more is admitted than `remaining` says; 0 for places, which come back when they do. */
  readonly resetMs: number;
}

export interface Admission {
  readonly id: string;
  /** The first limit that refused; null when admitted. */
  readonly refusedBy: Limit | null;
  /** One for each limit, in their order. */
  readonly states: readonly LimitState[];
}

/** A place of a killed process is free again after this long; running requests renew theirs three times in it. */
const LEASE_MS = 15_000;

const admitRequest = defineScript<number[]>('admitRequest', null, ADMIT_SCRIPT);
const renewLeases = defineScript<number>('renewLeases', null, RENEW_SCRIPT);

/** Exact limits over all processes: one script and one round trip, whatever the number of limits. */
@Injectable()
export class RateLimiter implements ThrottlerStorage, OnModuleDestroy {
  private readonly logger = new Logger(RateLimiter.name);
  /** Id of the request to the key of the place that it holds. */
  private readonly held = new Map<string, string>();
  private readonly renewing: NodeJS.Timeout;

  constructor(@Inject(REDIS) private readonly redis: Redis) {
    this.renewing = setInterval(() => void this.renew(), LEASE_MS / 3).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.renewing);
  }

  /**
   * Uses every limit by one, or none when one of them has no room.
   * Rejects with the client's error when Redis does not answer: nothing is ever unlimited.
   */
  async admit(limits: readonly Limit[]): Promise<Admission> {
    const id = randomUUID();
    const keys = limits.map(({ key }) => key);
    const reply = await admitRequest(this.redis, keys.length, ...keys, id, ...limits.flatMap(toArguments));
    const refusedBy = limits[(reply[0] ?? 0) - 1] ?? null;
    if (refusedBy === null) this.hold(id, limits);
    const states = limits.map((_, i) => ({ remaining: reply[2 * i + 1] ?? 0, resetMs: reply[2 * i + 2] ?? 0 }));
    return { id, refusedBy, states };
  }

  /** Gives the admission's place back. Never throws: a place that cannot be given back comes back with its lease. */
  async release({ id }: Admission): Promise<void> {
    const key = this.held.get(id);
    if (key === undefined) return;
    this.held.delete(id);
    await this.redis.zrem(key, id).catch((error: Error) => this.logger.warn(`a place was not freed: ${error.message}`));
  }

  /** The throttler's own way to ask: one window, named by the throttler's key. */
  async increment(key: string, ttl: number, limit: number): ReturnType<ThrottlerStorage['increment']> {
    const admission = await this.admit([{ kind: 'window', key: `throttler:${key}`, requests: limit, windowMs: ttl }]);
    const { remaining, resetMs } = admission.states[0]!;
    const isBlocked = admission.refusedBy !== null;
    const timeToExpire = Math.ceil(resetMs / 1000);
    return {
      totalHits: limit - remaining + (isBlocked ? 1 : 0),
      timeToExpire,
      isBlocked,
      timeToBlockExpire: isBlocked ? timeToExpire : 0,
    };
  }

  private hold(id: string, limits: readonly Limit[]): void {
    const slots = limits.find(({ kind }) => kind === 'slots');
    if (slots) this.held.set(id, slots.key);
  }

  /** Keeps the places of what still runs; called by a timer. */
  async renew(): Promise<void> {
    if (this.held.size === 0) return;
    const ids = [...this.held.keys()];
    await renewLeases(this.redis, ids.length, ...this.held.values(), LEASE_MS, ...ids).catch((error: Error) =>
      this.logger.warn(`places in flight were not renewed: ${error.message}`),
    );
  }
}

function toArguments(limit: Limit): [kind: string, a: number, b: number] {
  if (limit.kind === 'window') return [limit.kind, limit.requests, limit.windowMs];
  if (limit.kind === 'slots') return [limit.kind, limit.places, LEASE_MS];
  // Rounded up, so that the sustained rate is never above what was promised.
  return [limit.kind, limit.burst, Math.ceil(1_000_000 / limit.perSecond)];
}
