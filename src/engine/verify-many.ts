import { Inquiry, type InquiryWorld } from './inquiry.js';
import { OneByOne } from './one-by-one.js';
import type { Verification } from './types.js';

export interface VerifyManyOptions {
  /** Stops reading, gives up what is open and ends the iteration with the signal's reason as its error. */
  readonly signal?: AbortSignal;
  /** Addresses in view at once, answered ones not yet read included: memory is bounded by it (about 1 KB each). */
  readonly inView?: number;
}

export interface Verified {
  /** Position in the input, from 0. */
  readonly index: number;
  readonly verification: Verification;
}

/** Enough to find company for most addresses of a mixed list at their mail host, and about 10 MB. */
const IN_VIEW = 10_000;
/**
 * Addresses in view for each way to mail hosts that is in use: more than its connections ask about in a second. A longer
 * queue at few hosts only makes addresses grow old in memory, which the garbage collector pays for.
 */
const IN_VIEW_PER_ROUTE = 200;
/** In view whatever the number of routes, so that there is something to find routes by. With 1,000 it was 1 µs an address more. */
const IN_VIEW_AT_FIRST = 400;
/**
 * Once full, the view is filled up again when half of it is free, or after this long: addresses that begin together find their
 * hosts, and leave to talk to them, in fewer calls. Begun one by one they were 2 µs more.
 */
const REFILL_MS = 50;
/** Addresses begun before the event loop gets its turn: about 5 ms. */
const WITHOUT_PAUSE = 1_000;

/** Verdicts as they come, in no order; whoever stops reading stops the work. */
export function verifyMany(
  addresses: AsyncIterable<string> | Iterable<string>,
  world: InquiryWorld,
  options: VerifyManyOptions,
  onVerified?: (verification: Verification) => void,
): AsyncGenerator<Verified, void, void> {
  return new OneByOne(verifyGroups(addresses, world, options, onVerified));
}

/** The same in groups of what became known together. A group counts as read when the next one is asked for. */
export async function* verifyGroups(
  addresses: AsyncIterable<string> | Iterable<string>,
  world: InquiryWorld,
  { signal, inView = IN_VIEW }: VerifyManyOptions,
  onVerified?: (verification: Verification) => void,
): AsyncGenerator<readonly Verified[], void, void> {
  const open: Inquiry[] = [];
  let verified: Verified[] = [];
  let unread = 0;
  let exhausted = false;
  let isReading = false;
  let failure: unknown = null;
  let stopped = false;
  let wakeReader = () => {};
  let wakeFeeder = () => {};

  const done = (verification: Verification, inquiry: Inquiry) => {
    // Its place goes to the last one: a Set of what comes and goes costs three times as much.
    const last = open.pop()!;
    if (last !== inquiry) open[(last.place = inquiry.place)] = last;
    unread += 1;
    onVerified?.(verification);
    // Only the first of a group finds the reader asleep; to resolve a promise again is slow.
    if (verified.push({ index: inquiry.index, verification }) === 1) wakeReader();
  };

  function begin(email: string, index: number): void {
    const inquiry = new Inquiry(email, world, false, done, index);
    inquiry.place = open.push(inquiry) - 1;
    inquiry.begin();
  }

  const inViewNow = () => open.length + unread;
  const most = () => Math.min(inView, Math.max(IN_VIEW_AT_FIRST, IN_VIEW_PER_ROUTE * world.routes.size));

  /** Lets the event loop have its turn now and then. */
  const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));
  const read = () => new Promise<void>((resolve) => (wakeFeeder = resolve));

  async function room(): Promise<void> {
    let isLate = false;
    const cancelTimer = world.clock.after(REFILL_MS, () => {
      isLate = true;
      wakeFeeder();
    });
    while (!stopped && inViewNow() >= (isLate ? most() : most() / 2)) await read();
    cancelTimer();
  }

  async function feed(): Promise<void> {
    let index = 0;
    if (Symbol.iterator in addresses) {
      for (const email of addresses) {
        if (stopped) return;
        begin(email, index++);
        if (index % WITHOUT_PAUSE === 0) await breathe();
        if (inViewNow() >= most()) await room();
      }
      return;
    }
    isReading = true;
    for await (const email of addresses) {
      isReading = false;
      if (stopped) return;
      begin(email, index++);
      if (index % WITHOUT_PAUSE === 0) await breathe();
      if (inViewNow() >= most()) await room();
      isReading = true;
    }
  }

  const stop = () => {
    stopped = true;
    wakeFeeder();
    wakeReader();
  };
  signal?.addEventListener('abort', stop, { once: true });
  const feeding = feed()
    .catch((error: unknown) => (failure = error))
    .finally(() => {
      exhausted = true;
      wakeReader();
    });
  try {
    for (;;) {
      signal?.throwIfAborted();
      if (verified.length > 0) {
        const group = verified;
        verified = [];
        yield group;
        unread -= group.length;
        wakeFeeder();
      }
      if (failure !== null) throw failure;
      if (verified.length > 0) continue;
      if (exhausted && open.length === 0) return;
      await new Promise<void>((resolve) => (wakeReader = resolve));
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
    for (const inquiry of open) inquiry.cancel();
    // An input that is waited for may never go on: it is closed when it does.
    if (!isReading) await feeding;
  }
}
