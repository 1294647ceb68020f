import type { Hold } from '../../lib/hold.js';
import { Latch } from '../../lib/latch.js';
import { AddressVerification, type VerificationContext } from './address-verification.js';
import type { Asker } from '../smtp/probe/recipient-probe.js';
import type { Verification } from '../types.js';

export interface VerifyManyOptions {
  /** Stops reading, cancels the open verifications and ends the iteration with the signal's reason as its error. */
  readonly signal?: AbortSignal;
  /** Addresses in flight at once, those verified but not yet read included: it bounds the memory. */
  readonly maxInFlight?: number;
  /** By position, the name of the source that has to ask, because the host has seen it before; null: any. */
  readonly sourceOf?: (index: number) => string | null;
  /** While it is held no further recipient is named to a mail host; what was named is answered. */
  readonly hold?: Hold;
  /** By position, an address that was held up is about to be begun anew; false: nobody wants it any more. Left out: each is begun. */
  readonly resume?: (index: number) => boolean;
  /** Lists with the same turn share one where others wait for the same mail hosts. */
  readonly turn?: string;
  /** How long a connection is kept for the next list, once it has nothing to do; left out: not at all. Kept connections make way for others. */
  readonly keepWarmMs?: number;
}

export interface Verified {
  /** Position in the input, from 0. */
  readonly index: number;
  readonly verification: Verification;
}

/** Enough for most addresses of a mixed list to share a connection with others of their mail host. */
const MAX_WINDOW = 10_000;
/**
 * Addresses in flight for each route in use and each of our sources: more than its connections ask about in a second. A longer queue at few hosts only makes
 * addresses live until V8 promotes them to its old generation.
 */
const WINDOW_PER_ROUTE = 200;
/** The smallest window, for any number of routes, so that there are addresses to find routes by. */
const MIN_WINDOW = 400;
/** How often a full window is filled again although less than half of it is free. */
const REFILL_MS = 50;
/** Addresses started before the event loop gets its turn. */
const WITHOUT_PAUSE = 1_000;

/** Yields verdicts as they come, in no order; a consumer that stops reading stops the work. */
export function verifyMany(
  addresses: AsyncIterable<string> | Iterable<string>,
  context: VerificationContext,
  options: VerifyManyOptions,
  onVerified?: (verification: Verification) => void,
): AsyncGenerator<Verified, void, void> {
  return new OneByOne(verifyGroups(addresses, context, options, onVerified));
}

/** Like `verifyMany`, but yields arrays of what became known together. An array counts as read when the next one is asked for. */
export function verifyGroups(
  addresses: AsyncIterable<string> | Iterable<string>,
  context: VerificationContext,
  options: VerifyManyOptions,
  onVerified: (verification: Verification) => void = () => {},
): AsyncGenerator<readonly Verified[], void, void> {
  return new VerifyStream(addresses, context, options, onVerified).groups();
}

/**
 * Verifies a stream of addresses with a bounded number in flight.
 *
 * An address is *open* from its start to its verdict, then *unread* until the consumer asks for the group after its own. Both are in
 * flight, and the feeder starts no address while the window is full. The window grows with the number of routes in use.
 *
 * Two loops work on it. The reader, `groups`, runs when the consumer asks for a group. The feeder takes addresses from the input, and is
 * - `starting`: it starts verifications, and lets the event loop have its turn now and then;
 * - `reading`: it waits for the next address of an asynchronous input;
 * - `full`: it waits until half of the window is free, or any of it when `REFILL_MS` have passed, so that addresses start together, find
 *   their hosts together and acquire permits in fewer calls;
 * - `ended`: the input has ended or failed, or the stream was stopped.
 *
 * A hold makes the feeder wait as if the window were full, and takes back the open addresses that no mail host was asked about. They are
 * begun anew when it ends.
 *
 * Who wakes whom:
 * - The reader waits on `#verdictReady`. The first verdict of a group notifies it, and the end of the feeder, and `#stop`.
 * - The feeder waits on `#room` when it is `full`. The reader notifies it when a group has been read, and `#stop`, and the end of a hold,
 *   and its timer every `REFILL_MS`, because the window also grows with routes, which notify nobody. A verdict does not: it makes an open
 *   address an unread one, so that as many are in flight as before.
 *
 * Nothing is lost: each loop looks at its condition before it waits, and a latch keeps the notification that comes in between. Every
 * verification that was started calls back exactly once or is cancelled here, and `#open` holds those that have done neither.
 *
 * The iteration ends when the input has ended and everything was read. It fails with the input's error, after the verdicts that are
 * ready, or with the signal's reason at once. However it ends, also by a consumer that stops reading, no further address is started, the
 * open verifications are cancelled, and the input is closed before the iteration is over. Only an input that is being waited for
 * (`reading`) may never go on: it is not waited for, and is closed when it does.
 */
class VerifyStream {
  /** The open verifications, in no order; each knows its position. */
  readonly #open: AddressVerification[] = [];
  /** Those that a hold has taken back. */
  #withdrawn: AddressVerification[] = [];
  #verified: Verified[] = [];
  #unread = 0;
  #started = 0;
  #feeder: 'starting' | 'reading' | 'full' | 'ended' = 'starting';
  #failure: { readonly error: unknown } | null = null;
  #isStopped = false;
  readonly #verdictReady = new Latch();
  readonly #room = new Latch();
  readonly #maxInFlight: number;
  readonly #signal: AbortSignal | undefined;
  readonly #asker: Asker;
  readonly #sourceOf: ((index: number) => string | null) | undefined;
  readonly #hold: Hold | undefined;
  readonly #resume: (index: number) => boolean;

  constructor(
    private readonly addresses: AsyncIterable<string> | Iterable<string>,
    private readonly context: VerificationContext,
    options: VerifyManyOptions,
    private readonly onVerified: (verification: Verification) => void,
  ) {
    const {
      signal,
      maxInFlight = MAX_WINDOW,
      turn = '',
      keepWarmMs = 0,
      sourceOf,
      hold,
      resume = () => true,
    } = options;
    this.#hold = hold;
    this.#resume = resume;
    this.#signal = signal;
    this.#sourceOf = sourceOf;
    this.#asker = { turn, account: turn, urgent: false, keepWarmMs };
    this.#maxInFlight = maxInFlight;
  }

  async *groups(): AsyncGenerator<readonly Verified[], void, void> {
    const stop = () => this.#stop();
    this.#signal?.addEventListener('abort', stop, { once: true });
    const unlisten = this.#hold?.listen(() => this.#holdChanged());
    const feeding = this.#feed();
    try {
      for (;;) {
        this.#signal?.throwIfAborted();
        if (this.#verified.length > 0) {
          const group = this.#verified;
          this.#verified = [];
          yield group;
          this.#unread -= group.length;
          this.#room.notify();
        }
        if (this.#verified.length > 0) continue;
        if (this.#failure !== null) throw this.#failure.error;
        if (this.#feeder === 'ended' && this.#open.length + this.#withdrawn.length === 0) return;
        await this.#verdictReady.wait();
      }
    } finally {
      this.#signal?.removeEventListener('abort', stop);
      unlisten?.();
      this.#stop();
      for (const verification of this.#open) verification.cancel();
      if (this.#feeder !== 'reading') await feeding;
    }
  }

  #stop(): void {
    this.#isStopped = true;
    this.#room.notify();
    this.#verdictReady.notify();
  }

  /** Never rejects. */
  async #feed(): Promise<void> {
    try {
      if (Symbol.iterator in this.addresses) await this.#feedList(this.addresses);
      else await this.#feedStream(this.addresses);
    } catch (error) {
      this.#failure = { error };
    }
    this.#feeder = 'ended';
    this.#verdictReady.notify();
  }

  async #feedList(addresses: Iterable<string>): Promise<void> {
    if (this.#isFull()) await this.#pause();
    for (const email of addresses) {
      if (this.#isStopped) return;
      this.#start(email);
      if (this.#mustPause()) await this.#pause();
    }
  }

  async #feedStream(addresses: AsyncIterable<string>): Promise<void> {
    this.#feeder = 'reading';
    for await (const email of addresses) {
      this.#feeder = 'starting';
      if (this.#hold?.isHeld === true) await this.#pause();
      if (this.#isStopped) return;
      this.#start(email);
      if (this.#mustPause()) await this.#pause();
      this.#feeder = 'reading';
    }
  }

  #holdChanged(): void {
    if (this.#hold!.isHeld) {
      for (const verification of this.#open.filter(({ isUnasked }) => isUnasked)) {
        this.#leave(verification);
        verification.cancel();
        this.#withdrawn.push(verification);
      }
      return;
    }
    const withdrawn = this.#withdrawn;
    this.#withdrawn = [];
    for (const { email, index } of withdrawn) if (!this.#isStopped && this.#resume(index)) this.#begin(email, index);
    this.#room.notify();
    this.#verdictReady.notify();
  }

  #start(email: string): void {
    this.#begin(email, this.#started++);
  }

  #begin(email: string, index: number): void {
    const verification = new AddressVerification(email, this.context, this.#asker, this.#onDone, index);
    if (this.#sourceOf !== undefined && !this.context.sources.isSingle) verification.source = this.#sourceOf(index);
    verification.position = this.#open.push(verification) - 1;
    verification.start();
  }

  readonly #onDone = (verification: Verification, done: AddressVerification): void => {
    this.#leave(done);
    this.#unread += 1;
    this.onVerified(verification);
    // Only the first of a group finds the reader waiting.
    if (this.#verified.push({ index: done.index, verification }) === 1) this.#verdictReady.notify();
  };

  #leave(verification: AddressVerification): void {
    // The last one takes its position: a Set that members join and leave all the time is slower.
    const last = this.#open.pop()!;
    if (last === verification) return;
    this.#open[verification.position] = last;
    last.position = verification.position;
  }

  #mustPause(): boolean {
    return this.#started % WITHOUT_PAUSE === 0 || this.#isFull();
  }

  #isFull(): boolean {
    return this.#inFlight() >= this.#window() || this.#hold?.isHeld === true;
  }

  #inFlight(): number {
    return this.#open.length + this.#withdrawn.length + this.#unread;
  }

  #window(): number {
    const { routes, sources } = this.context;
    return Math.min(this.#maxInFlight, sources.all.length * Math.max(MIN_WINDOW, WINDOW_PER_ROUTE * routes.size));
  }

  async #pause(): Promise<void> {
    if (this.#started % WITHOUT_PAUSE === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    if (!this.#isFull()) return;
    this.#feeder = 'full';
    let isLate = false;
    let cancelTimer = () => {};
    const refillLater = () => {
      cancelTimer = this.context.clock.after(REFILL_MS, () => {
        isLate = true;
        this.#room.notify();
        refillLater();
      });
    };
    refillLater();
    const isFree = () => this.#hold?.isHeld !== true && this.#inFlight() < this.#window() / (isLate ? 1 : 2);
    await this.#room.until(() => this.#isStopped || isFree());
    cancelTimer();
    this.#feeder = 'starting';
  }
}

/** Hands out the members of groups, one for each call. A plain iterator, because a generator that yields each member is much slower. */
export class OneByOne<T> implements AsyncGenerator<T, void, void> {
  #group: readonly T[] = [];
  #at = 0;
  #next: Promise<boolean> | null = null;

  constructor(private readonly groups: AsyncGenerator<readonly T[], void, void>) {}

  next(): Promise<IteratorResult<T, void>> {
    if (this.#at < this.#group.length) return Promise.resolve({ value: this.#group[this.#at++]!, done: false });
    return this.#nextGroup();
  }

  async return(): Promise<IteratorResult<T, void>> {
    this.#group = [];
    await this.groups.return();
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<IteratorResult<T, void>> {
    this.#group = [];
    await this.groups.throw(error);
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #nextGroup(): Promise<IteratorResult<T, void>> {
    // Several calls may wait for the same group, which may be too small for them.
    while (this.#at >= this.#group.length) {
      if (!(await (this.#next ??= this.#fill()))) return { value: undefined, done: true };
    }
    return { value: this.#group[this.#at++]!, done: false };
  }

  async #fill(): Promise<boolean> {
    try {
      const { value, done } = await this.groups.next();
      if (done === true) return false;
      this.#group = value;
      this.#at = 0;
      return true;
    } finally {
      this.#next = null;
    }
  }
}
