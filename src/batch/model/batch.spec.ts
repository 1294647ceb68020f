import { describe, expect, it } from 'vitest';
import { dayOf, firstIdOf, newBatchId } from './batch-row.js';
import { type Batch, estimatedEnd, isFinished, transition } from './batch.js';

it('a batch moves on from state to state, and never back', () => {
  expect(transition('receiving', 'receive')).toBe('queued');
  expect(transition('queued', 'start')).toBe('processing');
  expect(transition('processing', 'complete')).toBe('completed');
  expect(transition('processing', 'start')).toBeNull();
  expect(transition('receiving', 'complete')).toBeNull();
});

it('only a batch that a fault of ours has ended can be retried', () => {
  expect(transition('failed', 'retry')).toBe('queued');
  for (const state of ['queued', 'processing', 'completed', 'cancelled'] as const)
    expect(transition(state, 'retry')).toBeNull();
});

it.each(['completed', 'failed', 'cancelled'] as const)('nothing happens to a batch that is %s', (state) => {
  expect(isFinished(state)).toBe(true);
  for (const event of ['receive', 'start', 'complete', 'fail', 'cancel'] as const)
    expect(transition(state, event)).toBeNull();
});

/** A list as it is worked on: what is known of it at a time, and when it really ends. */
interface SimulatedList {
  readonly end: number;
  at(now: number): Pick<Batch, 'counts' | 'waiting' | 'waitsUntil'>;
}

const at = (seconds: number) => new Date(seconds * 1000);
const valid = (count: number) => ({ valid: Math.floor(count), invalid: 0, risky: 0, unknown: 0 });
const TOTAL = 100_000;
const waiting = (count: number, lastTryAt: Date, { until = lastTryAt, isRest = false } = {}) => ({
  count,
  nextTryAt: lastTryAt,
  lastTryAt,
  until,
  isRest,
  reasons: { greylisted: count },
});

const LISTS: Readonly<Record<string, SimulatedList>> = {
  'at one pace': {
    end: 1_000,
    at: (now) => ({ counts: valid(now * 100), waiting: null, waitsUntil: null }),
  },
  'with a tenth at an operator that lets 12.5 a second through': {
    end: 800,
    at: (now) => {
      const slow = Math.min(10_000, now * 12.5);
      const counts = valid(Math.min(90_000, now * 5_000) + slow);
      return { counts, waiting: null, waitsUntil: at(now + (10_000 - slow) / 12.5) };
    },
  },
  'with a fifth that is greylisted and tried again after 150 s': {
    end: 550,
    at: (now) => {
      const tried = Math.min(TOTAL, now * 250);
      const settled = Math.max(0, Math.min(400, now - 150) * 250 * 0.2);
      const addresses = Math.floor(tried * 0.2 - settled);
      const until = at(Math.min(now, 400) + 150);
      const known = waiting(addresses, until, { isRest: tried === TOTAL });
      return { counts: valid(tried * 0.8 + settled), waiting: known, waitsUntil: null };
    },
  },
};

describe('the estimated end', () => {
  const batch = (known: Partial<Batch>): Batch =>
    ({
      startedAt: at(0),
      finishedAt: null,
      totalRows: 100,
      uniqueAddresses: 100,
      waiting: null,
      waitsUntil: null,
      ...known,
    }) as unknown as Batch;

  it('the estimated end is extrapolated from the pace so far, and is null before the first answer', () => {
    expect(estimatedEnd(batch({ counts: valid(0) }), 10_000)).toBeNull();
    expect(estimatedEnd(batch({ counts: valid(20) }), 10_000)).toEqual(at(50));
  });

  it('the estimated end has the retries behind the first pass, as late as those of the items tried so far', () => {
    const retried = (count: number, until: Date) => batch({ counts: valid(count), waiting: waiting(10, until) });
    expect(estimatedEnd(retried(90, at(150)), 10_000)).toEqual(at(150));
    expect(estimatedEnd(retried(10, at(15)), 10_000)).toEqual(at(55));
    expect(estimatedEnd(retried(10, at(5)), 10_000)).toEqual(at(50));
  });

  it('the estimated end is not before the end of a part whose pace a mail operator sets', () => {
    expect(estimatedEnd(batch({ counts: valid(90), waitsUntil: at(500) }), 10_000)).toEqual(at(500));
    expect(estimatedEnd(batch({ counts: valid(10), waitsUntil: at(15) }), 10_000)).toEqual(at(100));
  });

  it('the estimated end does not move on while all that is left waits, and is never after the end of its window', () => {
    // A row that waits was sent eleven times.
    const left = (lastTry: number, more: Partial<Batch> = {}) =>
      batch({
        uniqueAddresses: 90,
        counts: valid(89),
        waiting: waiting(1, at(lastTry), { until: at(900), isRest: true }),
        ...more,
      });
    for (const now of [1, 60, 149]) expect(estimatedEnd(left(150), now * 1000)).toEqual(at(150));
    expect(estimatedEnd(left(150), 200_000)).toEqual(at(200));
    for (const now of [500, 899, 900, 5_000]) expect(estimatedEnd(left(900), now * 1000)).toEqual(at(900));
    expect(estimatedEnd(left(450, { waitsUntil: at(700) }), 460_000)).toEqual(at(700));
    expect(estimatedEnd(left(450, { waitsUntil: at(86_400) }), 460_000)).toEqual(at(900));
  });

  it('the estimated end counts an item that waits as all the rows that it answers', () => {
    const half = batch({ uniqueAddresses: 50, counts: valid(20), waiting: waiting(15, at(5)) });
    expect(estimatedEnd(half, 10_000)).toEqual(at(20));
  });

  it.each(Object.keys(LISTS))('the estimated end is right within a fifth at each quarter of a list %s', (name) => {
    const list = LISTS[name]!;
    for (const quarter of [0.25, 0.5, 0.75]) {
      const now = list.end * quarter;
      const estimate =
        estimatedEnd(batch({ totalRows: TOTAL, uniqueAddresses: TOTAL, ...list.at(now) }), now * 1000)!.getTime() /
        1000;
      expect(Math.abs(estimate - list.end) / (list.end - now), `${quarter}: ${estimate}`).toBeLessThanOrEqual(0.2);
    }
  });
});

describe('the id of a batch', () => {
  const day = Date.UTC(2027, 0, 10, 12);

  it('the id of a batch begins with its day, grows from day to day, and is a whole number of JSON for twenty years', () => {
    const ids = [Date.UTC(2026, 0, 1), day - 1, day, day + 86_400_000, Date.UTC(2047, 0, 1)].map(newBatchId);
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 2 ** 40)).toBe(true);
    expect(ids[0]).toBeLessThan(ids[1]!);
    expect(ids[3]).toBeGreaterThanOrEqual(firstIdOf(dayOf(day) + 1));
    expect(new Set(Array.from({ length: 100 }, () => newBatchId(day))).size).toBe(100);
  });

  it('the id of a batch is one whatever a clock says', () => {
    for (const at of [0, Date.UTC(1970, 0, 1), Date.UTC(2999, 0, 1)])
      expect(newBatchId(at)).toSatisfy((id: number) => id > 0 && Number.isSafeInteger(id));
  });
});
