import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Periodic } from '../../lib/periodic.js';
import { MicroBatcher } from '../../lib/micro-batcher.js';
import { TIMER, type Timer } from '../../platform/clock.js';
import { ADMIT_SCRIPT, RENEW_SCRIPT } from './admit-script.js';
import { CallerLimits, type Grant } from './caller-limits.js';
import {
  type Admission,
  LEASE_MS,
  type Limit,
  Limiter,
  rateLimit,
  type Release,
  tagOf,
  toArguments,
  waitOf,
} from './limits.js';
import { defineScript } from './lua-script.js';
import { REDIS, type RedisClient } from './redis.js';

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
  readonly limits: readonly (Limit | Release)[];
  /** The most that are taken of each limit; 1 where nothing is said. */
  readonly counts?: readonly number[];
}

/** Numbers of a reply for each limit. */
const NUMBERS = 3;

/** What the script says of a permit that was given back. */
const GIVEN_BACK = [0, 0, 0, 1];

/** After so long without a renewal a permit that waits for a request may be somebody else's already. */
const RENEWED_MS = (LEASE_MS * 2) / 3;

/** The time in which a caller must ask again for something to be kept for him. */
const WHILE_MS = 100;

/** One run of the script. */
interface Call {
  readonly questions: readonly Question[];
  readonly reply: Promise<number[]>;
}

const admitRequests = defineScript<number[]>('admitRequests', null, ADMIT_SCRIPT);
const renewLeases = defineScript<number[]>('renewLeases', null, RENEW_SCRIPT);

/**
 * Exact limits over all processes: one script and one round trip, whatever the number of limits, and of requests that come together; none
 * for most requests of a caller who asks often (`CallerLimits`).
 */
@Injectable()
export class RateLimiter extends Limiter implements ThrottlerStorage, OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(RateLimiter.name);
  /** Maps the id of a request to the key of its permit. */
  private readonly held = new Map<string, string>();
  private readonly renewing: Periodic;
  /** By the key of their permits: callers who ask often. */
  private readonly callers = new Map<string, CallerLimits>();
  private stopLooking: (() => void) | null = null;
  /** All permits of this process were taken, or renewed, since. */
  private renewedAt = performance.now();
  private readonly questions = new MicroBatcher((questions: readonly Question[]) => this.ask(questions), MAX_QUESTIONS);

  constructor(
    @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(TIMER) private readonly timer: Timer,
  ) {
    super();
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

  async onModuleDestroy(): Promise<void> {
    await this.renewing.stop();
    this.stopLooking?.();
    this.stopLooking = null;
    const unused = [...this.callers].flatMap(([key, caller]) => caller.leave().map((id) => this.giveBack(id, key)));
    await Promise.all(unused);
  }

  /** Rejects with the client's error when Redis does not answer. */
  async admit(limits: readonly Limit[]): Promise<Admission> {
    const [rate, permits] = limits;
    if (limits.some(({ key }) => tagOf(key) !== tagOf(rate!.key)))
      throw new Error(`limits of one admission without a common tag: ${limits.map(({ key }) => key).join(', ')}`);
    const isCaller = limits.length === 2 && rate?.kind === 'bucket' && permits?.kind === 'permits';
    const admission = await (isCaller ? this.callerOf(permits.key).admit(rate, permits) : this.take(limits));
    if (admission.refusedBy === null) this.hold(admission.id, limits);
    return admission;
  }

  /** A permit that cannot be given back comes back with its lease. */
  async release({ id }: Admission): Promise<void> {
    const key = this.held.get(id);
    if (key === undefined) return;
    this.held.delete(id);
    if (!this.callers.get(key)?.keep(id)) await this.giveBack(id, key);
  }

  private async take(limits: readonly Limit[], counts?: readonly number[]): Promise<Grant> {
    const id = randomUUID();
    const reply = await this.questions.add({ id, limits, ...(counts && { counts }) });
    const refusedBy = limits[(reply[0] ?? 0) - 1] ?? null;
    const taken = limits.map((_, i) => reply[NUMBERS * i + 3] ?? 0);
    const states = limits.map((_, i) => ({
      remaining: reply[NUMBERS * i + 1] ?? 0,
      resetMs: reply[NUMBERS * i + 2] ?? 0,
    }));
    return { id, refusedBy, waitMs: refusedBy === null ? 0 : waitOf(states), states, taken };
  }

  private async giveBack(id: string, key: string): Promise<void> {
    await this.questions
      .add({ id, limits: [{ kind: 'release', key }] })
      .catch((error: Error) => this.logger.warn(`a permit was not freed: ${error.message}`));
  }

  private callerOf(key: string): CallerLimits {
    let caller = this.callers.get(key);
    if (caller === undefined) {
      caller = new CallerLimits({
        ask: (limits, counts) => this.take(limits, counts),
        now: () => performance.now(),
        isRenewed: () => performance.now() - this.renewedAt < RENEWED_MS,
      });
      this.callers.set(key, caller);
    }
    this.stopLooking ??= this.timer.after(WHILE_MS, () => this.lookAtCallers());
    return caller;
  }

  /** Gives back what is kept for callers who ask no more, and forgets them. */
  private lookAtCallers(): void {
    for (const [key, caller] of this.callers) {
      if (caller.isIdle) this.callers.delete(key);
      else for (const id of caller.look()) void this.giveBack(id, key);
    }
    this.stopLooking = this.callers.size === 0 ? null : this.timer.after(WHILE_MS, () => this.lookAtCallers());
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
    const parts = new Map<Question, Promise<number[]>>();
    for (const call of calls) addParts(call, parts);
    return questions.map((question) => parts.get(question)!);
  }

  private call(questions: readonly Question[]): Call {
    if (questions.every(({ limits }) => limits[0]?.kind === 'release'))
      return { questions, reply: this.returned(questions) };
    const keys: string[] = [];
    const values: (string | number)[] = [];
    for (const { id, limits, counts } of questions) {
      values.push(id, limits.length);
      for (let i = 0; i < limits.length; i++) {
        keys.push(limits[i]!.key);
        values.push(...toArguments(limits[i]!, counts?.[i] ?? 1));
      }
    }
    return { questions, reply: admitRequests(this.redis, keys.length, ...keys, ...values) };
  }

  /** To give permits back decides nothing, so it needs no script, which takes many times as long. */
  private async returned(questions: readonly Question[]): Promise<number[]> {
    await Promise.all(questions.map(({ id, limits }) => this.redis.zrem(limits[0]!.key, id)));
    return questions.flatMap(() => GIVEN_BACK);
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
    const beganAt = performance.now();
    const all: (readonly [id: string, key: string])[] = [...this.held];
    for (const [key, { unused }] of this.callers) for (const id of unused) all.push([id, key]);
    if (all.length === 0) return void (this.renewedAt = beganAt);
    await Promise.all(this.groups(all, ([, key]) => key).map((permits) => this.prolong(permits)));
    this.renewedAt = beganAt;
  }

  /** What Redis has forgotten meanwhile counts for nobody, and is no permit of a further request. */
  private async prolong(permits: readonly (readonly [id: string, key: string])[]): Promise<void> {
    const [keys, ids] = [permits.map(([, key]) => key), permits.map(([id]) => id)];
    for (const position of await renewLeases(this.redis, permits.length, ...keys, LEASE_MS, ...ids)) {
      const [id, key] = permits[position - 1]!;
      this.held.delete(id);
      this.callers.get(key)?.lose(id);
    }
  }
}

/** For each question of a call its part of the reply. */
function addParts({ questions, reply }: Call, parts: Map<Question, Promise<number[]>>): void {
  let from = 0;
  for (const question of questions) {
    const [start, end] = [from, (from += 1 + NUMBERS * question.limits.length)];
    parts.set(
      question,
      reply.then((numbers) => numbers.slice(start, end)),
    );
  }
}
