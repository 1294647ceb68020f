import { type PlacementTest, settlesAt } from '../placement-test.js';
import type { SeedStanding } from '../seed-placement.js';
import type { KnownArrival } from './arrivals.store.js';
import { GRACE_MS } from './worker/look-times.js';

type Times = Pick<PlacementTest, 'firstArrivalAt' | 'settleMinutes'>;

/**
 * What a seed tells of a test. `missing` is said only of a mailbox that was read at the end of the test or later; one that could not be read
 * then, or was turned off, is `seed_error`, which counts nowhere.
 */
export function standingOf(test: Times, known: KnownArrival, at: Date): SeedStanding {
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

function unfound(test: Times, { state, lookedAt }: KnownArrival, at: Date): SeedStanding['placement'] {
  if (state === 'off') return 'seed_error';
  const end = settlesAt(test);
  if (end === null) return 'pending';
  if (lookedAt !== null && lookedAt >= end) return 'missing';
  return at.getTime() < end.getTime() + GRACE_MS ? 'pending' : 'seed_error';
}
