import type { Reason, ReasonOf } from '../../engine/types.js';

/** The longest time in which answers are tried again. */
export const MAX_RETRY_WINDOW_SECONDS = 86_400;

/** Answers that a later try may change, in the order of the counts that are stored with a chunk: a new one goes to the end. */
export const RETRIED_REASONS = [
  'greylisted',
  'rate_limited',
  'temporary_failure',
  'smtp_timeout',
  'dns_error',
  'ip_blocked',
  'smtp_unreachable',
  'enumeration_suspected',
] as const satisfies readonly Reason[];

export type RetriedReason = (typeof RETRIED_REASONS)[number];

/** Answers that change in hours, if at all, are tried again once, at half of the window; others by each pass over their chunk, or never. */
const TRIES: Readonly<
  Record<RetriedReason, 'each pass' | 'once'> & Record<Exclude<ReasonOf<'unknown'>, RetriedReason>, 'never'>
> = {
  ip_blocked: 'once',
  sender_rejected: 'never',
  policy_rejected: 'never',
  rate_limited: 'each pass',
  enumeration_suspected: 'each pass',
  greylisted: 'each pass',
  temporary_failure: 'each pass',
  smtp_timeout: 'each pass',
  smtp_unreachable: 'once',
  port25_blocked: 'never',
  smtp_protocol_error: 'never',
  smtputf8_unsupported: 'never',
  dns_error: 'each pass',
  provider_hides_mailboxes: 'never',
  ambiguous_refusal: 'never',
};

/** Greylisting ends after 1 to 10 minutes, so the first retry comes early however long the window is. */
const FIRST_SECONDS = 300;
/** Each further retry before half of the window comes so many times later than the one before it. */
const GROWTH = 6;

/** What waits of a chunk between two passes. */
export interface ChunkRetries {
  /** Nothing of the chunk is put off beyond it. */
  readonly windowEndsAt: Date;
  /** Offsets that wait for the pass at half of the window. */
  readonly later: readonly number[];
  /** How many items wait, by reason in the order of `RETRIED_REASONS`. */
  readonly waiting: readonly number[];
  /** By offset, the source that a host has seen and that has to come back; those that any may ask are missing. */
  readonly sources: ReadonlyMap<number, string>;
}

/** The next pass over a chunk. */
export interface RetryPass extends ChunkRetries {
  readonly pass: number;
  readonly dueAt: Date;
  /** Offsets of the items that it tries again: the pass before it has not stored their results. */
  readonly offsets: readonly number[];
}

/** An answer that a pass has got and that is to be tried again. */
export interface RetriedAnswer {
  readonly offset: number;
  readonly reason: RetriedReason;
  /** The source that a host has seen and asked to come back; null: any may. */
  readonly source: string | null;
}

/** The pass that has ended, as far as the next one follows from it. */
interface EndedPass {
  readonly pass: number;
  readonly retries: ChunkRetries | null;
}

/**
 * When answers that time may change are tried again. The window of a chunk begins when its first pass has ended.
 *
 * Passes are numbered by their time in the window, so that whoever reads the number of a chunk's pass knows which one it is: when nothing but
 * answers that are tried once waits, or a time has gone by while nobody worked, numbers are left out.
 */
export class RetryWindow {
  /** The seconds from the begin of the window to pass 1, 2 and so on. */
  readonly times: readonly number[];
  /** The number of the pass at half of the window. */
  private readonly half: number;

  /** @param seconds 0: nothing is tried again */
  constructor(private readonly seconds: number) {
    const times: number[] = [];
    for (let at = Math.min(seconds / 6, FIRST_SECONDS); at > 0 && at <= seconds / 4; at *= GROWTH) times.push(at);
    this.half = times.length + 1;
    this.times = seconds === 0 ? [] : [...times, seconds / 2, seconds];
  }

  /** The reason, when an answer that a pass has got for it is tried again; else null. */
  retried(reason: Reason, pass: number): RetriedReason | null {
    if (!isRetried(reason)) return null;
    const passes = isTriedOnce(reason) ? (this.seconds > 0 ? this.half : 0) : this.times.length;
    return pass < passes ? reason : null;
  }

  /** The pass after one that ends now; null when nothing is left to try again. */
  next({ pass, retries }: EndedPass, answers: readonly RetriedAnswer[], now: number): RetryPass | null {
    const later = [...(retries?.later ?? [])];
    const offsets: number[] = [];
    const sources = new Map<number, string>();
    for (const offset of later) {
      const source = retries?.sources.get(offset);
      if (source !== undefined) sources.set(offset, source);
    }
    // What waits for half of the window is tried once, and only that: its counts go on.
    const waiting = RETRIED_REASONS.map((reason, i) =>
      isTriedOnce(reason) && later.length > 0 ? (retries?.waiting[i] ?? 0) : 0,
    );
    for (const { offset, reason, source } of answers) {
      if (source !== null) sources.set(offset, source);
      (isTriedOnce(reason) ? later : offsets).push(offset);
      waiting[RETRIED_REASONS.indexOf(reason)]! += 1;
    }
    if (offsets.length === 0 && later.length === 0) return null;
    const windowEndsAt = retries?.windowEndsAt ?? new Date(now + this.seconds * 1000);
    const beganAt = windowEndsAt.getTime() - this.seconds * 1000;
    const from = offsets.length > 0 ? pass + 1 : Math.max(pass + 1, this.half);
    const number = this.firstAfter(from, now - beganAt);
    const isHalf = number >= this.half;
    return {
      pass: number,
      // Without a window there is one try at once, for what is reopened.
      dueAt: new Date(beganAt + (this.times[number - 1] ?? 0) * 1000),
      offsets: [...offsets, ...(isHalf ? later : [])].sort((a, b) => a - b),
      later: isHalf ? [] : later.sort((a, b) => a - b),
      waiting,
      sources,
      windowEndsAt,
    };
  }

  /**
   * The next pass of a chunk of which further items are asked about again, as if DNS had not answered for them.
   * @param waiting the pass that the chunk waits for; null: it is done, and a window begins for these items
   */
  reopened(offsets: readonly number[], waiting: RetryPass | null, now: number): RetryPass {
    if (waiting === null) {
      const answers = offsets.map((offset) => ({ offset, reason: 'dns_error', source: null }) as const);
      return this.next({ pass: 0, retries: null }, answers, now)!;
    }
    return {
      ...waiting,
      offsets: [...waiting.offsets, ...offsets].sort((a, b) => a - b),
      waiting: waiting.waiting.map((count, i) => (RETRIED_REASONS[i] === 'dns_error' ? count + offsets.length : count)),
    };
  }

  /** The first pass from this number on whose time has not come; the last one when the window is over. */
  private firstAfter(from: number, elapsedMs: number): number {
    for (let number = from; number < this.times.length; number++)
      if (this.times[number - 1]! * 1000 > elapsedMs) return number;
    return this.times.length;
  }
}

function isRetried(reason: Reason): reason is RetriedReason {
  return reason in TRIES && TRIES[reason as keyof typeof TRIES] !== 'never';
}

function isTriedOnce(reason: RetriedReason): boolean {
  return TRIES[reason] === 'once';
}
