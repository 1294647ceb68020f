import { describe, expect, it } from 'vitest';
import { REASONS } from '../../engine/types.js';
import { type ChunkRetries, RetryWindow } from './retry-window.js';

const HOUR = 3_600;
const FIRST = { pass: 0, retries: null };

const at = (window: RetryWindow, seconds: number, ended: { pass: number; retries: ChunkRetries | null } = FIRST) => ({
  after: (...reasons: ('greylisted' | 'ip_blocked' | 'smtp_unreachable')[]) =>
    window.next(
      ended,
      reasons.map((reason, offset) => ({ offset, reason, source: null })),
      seconds * 1000,
    ),
});

describe('a retry window', () => {
  it.each([
    [900, [150, 450, 900]],
    [60, [10, 30, 60]],
    [HOUR, [300, 1_800, 3_600]],
    [2 * HOUR, [300, 1_800, 3_600, 7_200]],
    [24 * HOUR, [300, 1_800, 10_800, 43_200, 86_400]],
    [0, []],
  ])('a retry window of %i seconds tries soon, at its half and at its end', (seconds, times) => {
    expect(new RetryWindow(seconds).times).toEqual(times);
  });

  it('a retry window tries again what time may change in every pass but the last, blocks and silence before its half, and nothing else', () => {
    const window = new RetryWindow(900);
    const all = Object.values(REASONS).flat();
    const retriedIn = (pass: number) => all.filter((reason) => window.retried(reason, pass) !== null);
    const soft = [
      'rate_limited',
      'greylisted',
      'temporary_failure',
      'smtp_timeout',
      'dns_error',
      'enumeration_suspected',
    ];
    expect(retriedIn(0).toSorted()).toEqual([...soft, 'ip_blocked', 'smtp_unreachable'].toSorted());
    expect(retriedIn(2).toSorted()).toEqual(soft.toSorted());
    expect(retriedIn(3)).toEqual([]);
    expect(all.filter((reason) => new RetryWindow(0).retried(reason, 0) !== null)).toEqual([]);
  });

  it('a retry window waits for its half where only blocks are left, and takes them along there', () => {
    const window = new RetryWindow(900);
    expect(at(window, 0).after('ip_blocked')).toMatchObject({ pass: 2, dueAt: new Date(450_000), offsets: [0] });
    const first = at(window, 0).after('greylisted', 'ip_blocked', 'greylisted')!;
    expect(first).toEqual({
      pass: 1,
      dueAt: new Date(150_000),
      offsets: [0, 2],
      later: [1],
      waiting: [2, 0, 0, 0, 0, 1, 0, 0],
      sources: new Map(),
      windowEndsAt: new Date(900_000),
    });
    const second = at(window, 151, { pass: 1, retries: first }).after('greylisted')!;
    expect(second).toMatchObject({ pass: 2, offsets: [0, 1], later: [], waiting: [1, 0, 0, 0, 0, 1, 0, 0] });
    expect(second.dueAt).toEqual(new Date(450_000));
    const third = at(window, 451, { pass: 2, retries: second }).after('greylisted')!;
    expect(third).toMatchObject({ pass: 3, offsets: [0], waiting: [1, 0, 0, 0, 0, 0, 0, 0] });
    expect(at(window, 901, { pass: 3, retries: third }).after()).toBeNull();
  });

  it('a retry window goes on at half when the first retry has settled all that it tried', () => {
    const window = new RetryWindow(900);
    const first = at(window, 0).after('greylisted', 'smtp_unreachable')!;
    expect(at(window, 200, { pass: 1, retries: first }).after()).toMatchObject({ pass: 2, offsets: [1], later: [] });
  });

  it('a retry window leaves out times that went by while nobody worked, and never puts anything off beyond its end', () => {
    const window = new RetryWindow(900);
    const first = at(window, 0).after('greylisted', 'ip_blocked')!;
    const late = at(window, 500, { pass: 1, retries: first }).after('greylisted')!;
    expect(late).toMatchObject({ pass: 3, dueAt: new Date(900_000), offsets: [0, 1] });
    const tooLate = at(window, 5_000, { pass: 1, retries: first }).after('greylisted')!;
    expect(tooLate).toMatchObject({ pass: 3, dueAt: new Date(900_000), windowEndsAt: new Date(900_000) });
  });

  it('a retry window begins with what is reopened when the chunk was done, and takes it along in the pass that waits otherwise', () => {
    const window = new RetryWindow(900);
    const begun = window.reopened([4, 1], null, 60_000);
    const expected = {
      pass: 1,
      dueAt: new Date(210_000),
      windowEndsAt: new Date(960_000),
      waiting: [0, 0, 0, 0, 2, 0, 0, 0],
    };
    expect(begun).toMatchObject({ ...expected, offsets: [1, 4], later: [] });
    const waiting = at(window, 0).after('greylisted', 'ip_blocked', 'greylisted')!;
    expect(window.reopened([1], waiting, 60_000)).toEqual({
      ...waiting,
      offsets: [0, 1, 2],
      waiting: [2, 0, 0, 0, 1, 1, 0, 0],
    });
  });

  it('a retry window of 0 seconds gives what is reopened one try at once, whose answers are final', () => {
    const window = new RetryWindow(0);
    const now = new Date(60_000);
    const only = window.reopened([3], null, now.getTime());
    expect(only).toMatchObject({ dueAt: now, windowEndsAt: now, offsets: [3] });
    expect(window.retried('dns_error', only.pass)).toBeNull();
    expect(window.next({ pass: only.pass, retries: only }, [], now.getTime())).toBeNull();
  });

  it('a retry window remembers which source has to come back for whom, until that try is over', () => {
    const window = new RetryWindow(900);
    const first = window.next(
      FIRST,
      [
        { offset: 3, reason: 'greylisted', source: 'north' },
        { offset: 4, reason: 'ip_blocked', source: null },
        { offset: 5, reason: 'temporary_failure', source: 'south' },
      ],
      0,
    )!;
    expect([...first.sources]).toEqual([
      [3, 'north'],
      [5, 'south'],
    ]);
    const second = window.next(
      { pass: first.pass, retries: first },
      [{ offset: 3, reason: 'greylisted', source: 'west' }],
      150_000,
    )!;
    expect([...second.sources]).toEqual([[3, 'west']]);
  });
});
