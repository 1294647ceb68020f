import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Periodic } from '../../async/periodic.js';
import { MicroBatcher } from '../../async/streams/micro-batcher.js';
import { TIMER, type Timer } from '../../platform/clock.js';
import { ADMIT_SCRIPT, RENEW_SCRIPT } from './admit-script.js';
import { defineScript } from './lua-script.js';
import { REDIS, type RedisClient } from './redis.js';

/** The limits of one admission are decided by one call, so their keys share the text in their braces. */
export type Limit =
  /** At most `requests` in any `windowMs`. */
  | { readonly kind: 'window'; readonly key: string; readonly requests: number; readonly windowMs: number }
  /** At most `burst` at once, `perSecond` sustained. */
  | { readonly kind: 'bucket'; readonly key: string; readonly perSecond: number; readonly burst: number }
  /** At most `permits` running; a permit comes back by `release`, or by itself when its process is gone. */
  | { readonly kind: 'permits'; readonly key: string; readonly permits: number };

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

/** A permit of a killed process is free again after this long; running requests renew theirs three times in it. */
const LEASE_MS = 15_000;

/** Bounds the time for which one run of the script keeps Redis from others. */
const MAX_QUESTIONS = 50;

/**
 * The time after which further questions do not wait for an answer: with a Redis that hangs each request fails after its own
 * timeout, not after those of all before it.
 */
const SLOW_MS = 5;

/** Asked of the script: limits of a request, or a permit given back. */
interface Question {
  readonly id: string;
  readonly limits: readonly (Limit | { readonly kind: 'release'; readonly key: string })[];
}

/** One run of the script. */
interface Call {
  readonly questions: readonly Question[];
  readonly reply: Promise<number[]>;
}

const admitRequests = defineScript<number[]>('admitRequests', null, ADMIT_SCRIPT);
const renewLeases = defineScript<number>('renewLeases', null, RENEW_SCRIPT);

/** Exact limits over all processes: one script and one round trip, whatever the number of limits, and of requests that come together. */
@Injectable()
export class RateLimiter implements ThrottlerStorage, OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(RateLimiter.name);
  /** Maps the id of a request to the key of its permit. */
  private readonly held = new Map<string, string>();
  private readonly renewing: Periodic;
  private readonly questions = new MicroBatcher((questions: readonly Question[]) => this.ask(questions), MAX_QUESTIONS);

  constructor(
    @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(TIMER) private readonly timer: Timer,
  ) {
    this.renewing = new Periodic(() => this.renew(), {
      everyMs: LEASE_MS / 3,
      firstAfterMs: LEASE_MS / 3,
      timer,
      onError: (error) => this.logger.warn(`permits in flight were not renewed: ${(error as Error).message}`),
    });
  }

  onModuleInit(): void {
    this.renewing.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.renewing.stop();
  }

  /**
   * Uses every limit by one, or none when one of them has no room. Rejects with the client's error when Redis does not answer, so
   * that no caller is ever unlimited.
   */
  async admit(limits: readonly Limit[]): Promise<Admission> {
    const id = randomUUID();
    if (limits.some(({ key }) => tagOf(key) !== tagOf(limits[0]!.key)))
      throw new Error(`limits of one admission without a common tag: ${limits.map(({ key }) => key).join(', ')}`);
    const reply = await this.questions.add({ id, limits });
    const refusedBy = limits[(reply[0] ?? 0) - 1] ?? null;
    if (refusedBy === null) this.hold(id, limits);
    const states = limits.map((_, i) => ({ remaining: reply[2 * i + 1] ?? 0, resetMs: reply[2 * i + 2] ?? 0 }));
    const waitMs = refusedBy === null ? 0 : waitOf(states);
    return { id, refusedBy, waitMs, states };
  }

  /** Gives the admission's permit back. Never throws: a permit that cannot be given back comes back with its lease. */
  async release({ id }: Admission): Promise<void> {
    const key = this.held.get(id);
    if (key === undefined) return;
    this.held.delete(id);
    await this.questions
      .add({ id, limits: [{ kind: 'release', key }] })
      .catch((error: Error) => this.logger.warn(`a permit was not freed: ${error.message}`));
  }

  /** Counts for a throttler of Nest that is no caller's rate: one limit, whose algorithm is the throttler's name. */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    _blockDuration: number,
    throttlerName: string,
  ): ReturnType<ThrottlerStorage['increment']> {
    const { refusedBy, waitMs, states } = await this.admit([rateLimit(throttlerName, key, limit, ttl)]);
    const { remaining, resetMs } = states[0]!;
    return {
      totalHits: limit - remaining + (refusedBy === null ? 0 : 1),
      timeToExpire: Math.ceil(resetMs / 1000),
      isBlocked: refusedBy !== null,
      timeToBlockExpire: Math.ceil(waitMs / 1000),
    };
  }

  /** @returns for each question its part of the script's reply: when Redis is slow, the promise of it */
  private async ask(questions: readonly Question[]): Promise<(number[] | Promise<number[]>)[]> {
    const calls = this.groups(questions, ({ limits }) => limits[0]?.key).map((some) => this.call(some));
    const answered = Promise.all(calls.map(({ reply }) => reply));
    await new Promise<void>((resolve) => {
      const cancel = this.timer.after(SLOW_MS, resolve);
      const settled = (): void => {
        cancel();
        resolve();
      };
      answered.then(settled, settled);
    });
    const parts = new Map(calls.flatMap((call) => partsOf(call)));
    return questions.map((question) => parts.get(question)!);
  }

  private call(questions: readonly Question[]): Call {
    const keys = questions.flatMap(({ limits }) => limits.map(({ key }) => key));
    const values = questions.flatMap(({ id, limits }) => [id, limits.length, ...limits.flatMap(toArguments)]);
    return { questions, reply: admitRequests(this.redis, keys.length, ...keys, ...values) };
  }

  /** What one call may be about: everything, or in a cluster what shares a slot. */
  private groups<T>(items: readonly T[], keyOf: (item: T) => string | undefined): (readonly T[])[] {
    if (!this.redis.isCluster) return [items];
    const groups = new Map<string, T[]>();
    for (const item of items) {
      const tag = tagOf(keyOf(item) ?? '');
      const group = groups.get(tag);
      if (group === undefined) groups.set(tag, [item]);
      else group.push(item);
    }
    return [...groups.values()];
  }

  private hold(id: string, limits: readonly Limit[]): void {
    const permits = limits.find(({ kind }) => kind === 'permits');
    if (permits) this.held.set(id, permits.key);
  }

  /** Renews the leases of the permits of running requests; a timer calls it. */
  async renew(): Promise<void> {
    if (this.held.size === 0) return;
    const calls = this.groups([...this.held], ([, key]) => key).map((permits) =>
      renewLeases(this.redis, permits.length, ...permits.map(([, key]) => key), LEASE_MS, ...permits.map(([id]) => id)),
    );
    await Promise.all(calls);
  }
}

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

/** For each question of a call its part of the reply. */
function partsOf({ questions, reply }: Call): [Question, Promise<number[]>][] {
  let from = 0;
  return questions.map((question) => {
    const [start, end] = [from, (from += 1 + 2 * question.limits.length)];
    return [question, reply.then((numbers) => numbers.slice(start, end))];
  });
}

/** The part of a key that decides its slot in a cluster (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags). */
function tagOf(key: string): string {
  const start = key.indexOf('{');
  const end = key.indexOf('}', start + 1);
  return start === -1 || end <= start + 1 ? key : key.slice(start + 1, end);
}

/** The time until the last of the exhausted limits has room again, because only then another try makes sense. */
function waitOf(states: readonly LimitState[]): number {
  return Math.max(...states.filter(({ remaining }) => remaining === 0).map(({ resetMs }) => resetMs));
}

function toArguments(limit: Question['limits'][number]): [kind: string, a: number, b: number] {
  if (limit.kind === 'window') return [limit.kind, limit.requests, limit.windowMs];
  if (limit.kind === 'release') return [limit.kind, 0, 0];
  if (limit.kind === 'permits') return [limit.kind, limit.permits, LEASE_MS];
  // Rounded up, so that the sustained rate is never above what was promised.
  return [limit.kind, limit.burst, Math.ceil(1_000_000 / limit.perSecond)];
}
