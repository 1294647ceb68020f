import { type PlacementTest, type SeedStatus, settlesAt } from '../placement-test.js';
import type { KnownArrival } from './arrivals.store.js';

type Times = Pick<PlacementTest, 'firstArrivalAt' | 'settleMinutes'>;

/**
 * What a seed tells of a test. `missing` is said only of a mailbox that was read at the end of the test or later; one that could not be read
 * then, or was turned off, is `seed_error`, which counts nowhere.
 */
export function seedStatusOf(test: Times, known: KnownArrival, at: Date): SeedStatus {
  const { provider, tab, matchedBy, authentication, arrivedAt } = known;
  const { firstArrivalAt } = test;
  const afterMs = arrivedAt && firstArrivalAt && arrivedAt.getTime() - firstArrivalAt.getTime();
  return {
    provider,
    placement: known.placement ?? unfound(test, known, at),
    tab,
    // Clocks of servers differ, and the seed may have had it first.
    arrivedAfterS: afterMs === null ? null : Math.max(0, Math.round(afterMs / 1_000)),
    matchedBy,
    authentication,
  };
}

function unfound(test: Times, { state, lookedAt }: KnownArrival, at: Date): SeedStatus['placement'] {
  if (state === 'off') return 'seed_error';
  const end = settlesAt(test);
  if (end === null) return 'pending';
  if (lookedAt !== null && lookedAt >= end) return 'missing';
  return at.getTime() < end.getTime() + GRACE_MS ? 'pending' : 'seed_error';
}

/** Waits before the looks at a seed: mail comes within seconds, or late. */
const WAITS_S = [15, 30, 60, 120] as const;
/** A test may take a day, and a provider counts logins. */
const LATE_WAIT_S = 600;
const LATE_FROM_CHECK = 32;

/** A seed that could not be read is waited for so much longer than the end of the test, before it is left out. */
export const GRACE_MS = 600_000;
/** A refused login is not tried again at once: providers lock accounts. */
export const AFTER_REFUSAL_MS = 600_000;

/** The wait before the next look, when there were so many since the test was made or its mail first came. */
export function waitMs(looks: number): number {
  const waitS = looks >= LATE_FROM_CHECK ? LATE_WAIT_S : WAITS_S[Math.min(looks, WAITS_S.length - 1)]!;
  return waitS * 1_000;
}

interface CheckPlan {
  readonly looks: number;
  readonly at: Date;
  /** When nothing is waited for any more; null: nothing has come anywhere. */
  readonly settlesAt: Date | null;
  readonly hasFailed: boolean;
}

/**
 * When a seed that has not found the mail is looked at next; null: it has had its last look. The last one is at the end of the test or
 * later, so that `missing` is said of a mailbox that was read then and not of one that was read once at the beginning.
 */
export function nextReadAt({ looks, at, settlesAt, hasFailed }: CheckPlan): Date | null {
  const next = at.getTime() + waitMs(looks);
  if (settlesAt === null) return new Date(next);
  const end = settlesAt.getTime();
  if (at.getTime() < end) return new Date(Math.min(next, end));
  return hasFailed && next < end + GRACE_MS ? new Date(next) : null;
}
