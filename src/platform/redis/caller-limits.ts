import type { Admission, Limit, LimitState } from './limits.js';

type Bucket = Extract<Limit, { kind: 'bucket' }>;
type Permits = Extract<Limit, { kind: 'permits' }>;

/** Requests of a caller within a while that make him busy. */
const BUSY = 4;
/** The most tokens, and permits, that are taken for one caller at once. */
const MAX_TAKEN = 16;
/** The part of a caller's permits that a process keeps for his next requests. */
const TAKEN_PART = 1 / 32;
/** The time in which a bucket refills by what is taken at once: what a killed process has taken and not used is back after it. */
const REFILL_MS = 100;

/** What one question to Redis says; `taken` is how many of each limit, in their order. */
export interface Grant extends Admission {
  readonly taken: readonly number[];
}

export interface CallerLimitsOptions {
  /** @param counts the most that are taken of each limit */
  ask(limits: readonly Limit[], counts: readonly number[]): Promise<Grant>;
  /** A monotonic clock, in milliseconds. */
  now(): number;
  /** Whether Redis still counts every permit of this process. */
  isRenewed(): boolean;
}

/**
 * The rate and the permits of one caller, as this process has taken them from Redis.
 *
 * A caller is quiet, and each request asks Redis; or busy, and a request that asks takes some tokens and permits for those that follow,
 * which then ask nobody.
 *
 * Neither limit is ever exceeded, over all processes together:
 * - A permit that is kept for the next request is one that Redis counts. It is renewed like those in use, and comes back with its lease when
 *   the process is killed.
 * - A token that was taken is one that the bucket counts as used. Were it kept while the bucket refills, it would come on top of a full one.
 *   So the level of what requests have used and what is left here must fall as fast as the bucket does: as long as our own requests have a
 *   level, that falls; else what is left here is lost at the same pace. Nothing has to be given back.
 *
 * What others find less of meanwhile is an eighth of what there was at most, and no more than refills in `REFILL_MS`; a caller of whom little
 * is left is asked about one by one. When Redis does not answer, what was taken is used, and the next request fails.
 */
export class CallerLimits {
  #bucket: Bucket = { kind: 'bucket', key: '', burst: 0, perSecond: 1 };
  /** Tokens that were left at `#countedAt`; a part of one is none. */
  #tokens = 0;
  #countedAt = 0;
  /** How full a bucket would be then that knew nothing but the requests which have used a token here. */
  #level = 0;
  /** Tokens that one who had enough would have lost until then. */
  #lost = 0;
  /** What Redis last said of the bucket, and when that was asked. */
  #state: LimitState = { remaining: 0, resetMs: 0 };
  #askedAt = 0;
  /** Ids of permits that no request uses. */
  #unused: string[] = [];
  #maxUnused = 0;
  /** Requests since the last look, and in the while before it. */
  #requests = 0;
  #requestsBefore = 0;
  /** Requests that wait for Redis. */
  #asking = 0;
  #isTaking = false;

  constructor(private readonly options: CallerLimitsOptions) {}

  /** Ids of permits that wait for a request. */
  get unused(): readonly string[] {
    return this.#unused;
  }

  /** Nobody has asked for a while, and nothing is kept. */
  get isIdle(): boolean {
    return this.#requests + this.#asking + this.#unused.length === 0;
  }

  /** @param bucket, permits as the caller's policy has them now */
  async admit(bucket: Bucket, permits: Permits): Promise<Admission> {
    this.#requests += 1;
    this.#follow(bucket, permits);
    const hasToken = this.#takeToken();
    const permit = this.options.isRenewed() ? this.#unused.pop() : undefined;
    if (hasToken && permit !== undefined)
      return { id: permit, refusedBy: null, waitMs: 0, states: [this.#bucketState(), this.#permitsState()] };
    return this.#ask(hasToken ? null : bucket, permit === undefined ? permits : null, permit);
  }

  /** Keeps the permit of a request that has ended, for the next one. @returns false where none is expected soon */
  keep(permit: string): boolean {
    if (this.#requests + this.#requestsBefore < BUSY || this.#unused.length >= this.#maxUnused) return false;
    this.#unused.push(permit);
    return true;
  }

  /** Redis counts the permit no more. */
  lose(permit: string): void {
    this.#unused = this.#unused.filter((one) => one !== permit);
  }

  /** Begins the next while. @returns permits to give back, since no request came in the last one */
  look(): readonly string[] {
    const isQuiet = this.#requests === 0;
    [this.#requestsBefore, this.#requests] = [this.#requests, 0];
    return isQuiet ? this.leave() : [];
  }

  /** @returns permits to give back */
  leave(): readonly string[] {
    return this.#unused.splice(0, this.#unused.length);
  }

  /** @param permit one that is here already */
  async #ask(bucket: Bucket | null, permits: Permits | null, permit: string | undefined): Promise<Admission> {
    const most = this.#isTaking ? 1 : this.#most();
    const limits: Limit[] = [];
    const counts: number[] = [];
    if (bucket !== null) counts[limits.push(bucket) - 1] = most;
    if (permits !== null) counts[limits.push(permits) - 1] = Math.max(1, Math.min(most, this.#maxUnused));
    this.#isTaking ||= most > 1;
    this.#asking += 1;
    const askedAt = this.options.now();
    const lostBefore = this.#lost;
    let isAdmitted = false;
    try {
      const granted = await this.options.ask(limits, counts);
      isAdmitted = granted.refusedBy === null;
      return this.#take(granted, {
        bucketAt: bucket === null ? -1 : 0,
        permitsAt: limits.length - 1,
        askedAt,
        lostBefore,
        permit,
      });
    } finally {
      if (permit !== undefined && !isAdmitted) this.#unused.push(permit);
      this.#asking -= 1;
      if (most > 1) this.#isTaking = false;
    }
  }

  #take(
    { id, refusedBy, waitMs, states, taken }: Grant,
    asked: { bucketAt: number; permitsAt: number; askedAt: number; lostBefore: number; permit: string | undefined },
  ): Admission {
    const { bucketAt, permitsAt, askedAt, lostBefore, permit } = asked;
    if (bucketAt === 0) {
      this.#state = states[0]!;
      this.#askedAt = askedAt;
      if (refusedBy === null) this.#addTokens(taken[0]! - 1, lostBefore);
    }
    if (permit === undefined && refusedBy === null)
      for (let i = 1; i < taken[permitsAt]!; i++) this.#unused.push(`${id}:${i}`);
    const ofBucket = bucketAt === 0 && refusedBy !== null ? states[0]! : this.#bucketState();
    const ofPermits = permit === undefined ? states[permitsAt]! : this.#permitsState();
    return { id: permit ?? id, refusedBy, waitMs, states: [ofBucket, ofPermits] };
  }

  /** Another policy has other numbers: nothing that was taken under those before is used. */
  #follow(bucket: Bucket, { permits }: Permits): void {
    this.#maxUnused = Math.min(Math.floor(permits * TAKEN_PART), MAX_TAKEN);
    if (bucket.burst === this.#bucket.burst && bucket.perSecond === this.#bucket.perSecond) return;
    this.#bucket = bucket;
    this.#tokens = this.#level = 0;
  }

  #most(): number {
    const wanted = Math.max(this.#requests, this.#requestsBefore);
    if (wanted < BUSY) return 1;
    return Math.max(Math.min(wanted, MAX_TAKEN, Math.floor((this.#bucket.perSecond * REFILL_MS) / 1000)), 1);
  }

  #takeToken(): boolean {
    this.#count();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    this.#level += 1;
    return true;
  }

  #count(): void {
    const now = this.options.now();
    const refilled = ((now - this.#countedAt) * this.#bucket.perSecond) / 1000;
    const fallen = Math.min(this.#level, refilled);
    this.#level -= fallen;
    this.#lost += refilled - fallen;
    this.#tokens = Math.max(this.#tokens - (refilled - fallen), 0);
    this.#countedAt = now;
  }

  /** They may be lost from the moment at which they were asked for: Redis took them later. */
  #addTokens(count: number, lostBefore: number): void {
    this.#count();
    this.#tokens += Math.max(count - (this.#lost - lostBefore), 0);
  }

  #permitsState(): LimitState {
    return { remaining: this.#unused.length, resetMs: 0 };
  }

  /** As Redis said, with what has come back since, and what is left here. */
  #bucketState(): LimitState {
    const { burst, perSecond } = this.#bucket;
    this.#count();
    const tokenMs = 1000 / perSecond;
    const sinceReset = this.#countedAt - this.#askedAt - this.#state.resetMs;
    const back = sinceReset < 0 ? 0 : 1 + Math.floor(sinceReset / tokenMs);
    const remaining = this.#state.remaining + back + Math.floor(this.#tokens);
    const resetMs = Math.ceil(sinceReset < 0 ? -sinceReset : tokenMs - (sinceReset % tokenMs));
    return { remaining: Math.min(remaining, burst - 1), resetMs };
  }
}
