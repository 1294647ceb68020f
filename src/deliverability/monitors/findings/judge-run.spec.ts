import { describe, expect, it } from 'vitest';
import type { FindingMemory } from './monitor-run.js';
import type { Monitor } from './monitor.js';
import { advance, type Circumstances, isFlapping, type ObservedStatus } from './advance.js';
import { advanceFindings } from './judge-run.js';
import type { Observation } from './observation.js';
import { LIVE_TIMINGS } from './timings.js';
import { markNotified, type NotificationRules, type Notification, notificationFor } from './notification-policy.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.parse('2026-11-26T12:00:00Z');

const OPTIONS = { isFirstRun: false, isListing: false, isCertain: false };

/** What is known after looks at these times, and what was said at each. */
function after(
  looks: readonly (readonly [atMs: number, ObservedStatus])[],
  options: Partial<Circumstances & NotificationRules> = {},
) {
  let memory: FindingMemory | null = null;
  const words: (Notification | null)[] = [];
  for (const [atMs, observed] of looks) {
    const now = new Date(START + atMs);
    memory = advance(memory, observed, { ...OPTIONS, now, timings: LIVE_TIMINGS, ...options });
    const rules = { now, timings: LIVE_TIMINGS, alertFrom: 'warning', isSuppressed: false, ...options } as const;
    const notification: Notification | null = memory && notificationFor({ ...memory, mutedUntil: null }, rules);
    words.push(notification);
    if (memory !== null && notification !== null) memory = markNotified(memory, now);
  }
  return { memory, words, state: memory?.state ?? null };
}

describe('a finding', () => {
  it('a finding is suspected when it is seen once, and open when it is seen again', () => {
    expect(after([[0, 'critical']])).toMatchObject({ state: 'suspected', words: [null] });
    const twice = after([
      [0, 'critical'],
      [5 * MINUTE, 'critical'],
    ]);
    expect(twice).toMatchObject({ state: 'open', words: [null, 'opened'] });
    expect(twice.memory).toMatchObject({ seenRuns: 2, confirmedAt: new Date(START + 5 * MINUTE) });
  });

  it('a finding is not confirmed by a look a moment later', () => {
    expect(
      after([
        [0, 'critical'],
        [10_000, 'critical'],
      ]).state,
    ).toBe('suspected');
  });

  it('a finding that is not seen again was none, and nobody hears of it', () => {
    expect(
      after([
        [0, 'critical'],
        [5 * MINUTE, 'clean'],
      ]),
    ).toEqual({ memory: null, state: null, words: [null, null] });
  });

  it('a finding is resolved when it is not seen twice', () => {
    const looks = [
      [0, 'warning'],
      [5 * MINUTE, 'warning'],
      [8 * HOUR, 'clean'],
    ] as const;
    expect(after(looks).state).toBe('clearing');
    expect(after([...looks, [8 * HOUR + 5 * MINUTE, 'clean']])).toMatchObject({
      state: 'resolved',
      words: [null, 'opened', null, 'resolved'],
    });
  });

  it.each(['suspected', 'open', 'clearing', 'resolved'] as const)(
    'a finding that is %s is moved by no silence',
    (state) => {
      const memory = { ...after([[0, 'critical']]).memory!, state };
      const now = new Date(START + HOUR);
      expect(advance(memory, 'unknown', { ...OPTIONS, now, timings: LIVE_TIMINGS })).toBe(memory);
    },
  );

  it('a finding of silence is none', () => {
    expect(after([[0, 'unknown']]).memory).toBeNull();
  });

  it('a finding of a block list is resolved by two clean looks that lie an hour apart, and by no others', () => {
    const open = [
      [0, 'critical'],
      [5 * MINUTE, 'critical'],
      [7 * HOUR, 'clean'],
      [7 * HOUR + 59 * MINUTE, 'clean'],
    ] as const;
    expect(after(open, { isListing: true }).state).toBe('clearing');
    expect(after([...open, [8 * HOUR, 'clean']], { isListing: true })).toMatchObject({
      state: 'resolved',
      words: [null, 'opened', null, null, 'resolved'],
    });
  });

  it('a finding that a date tells is open, and over, at one look', () => {
    expect(after([[0, 'warning']], { isCertain: true })).toMatchObject({ state: 'open', words: ['opened'] });
    const renewed = after(
      [
        [0, 'warning'],
        [7 * HOUR, 'clean'],
      ],
      { isCertain: true },
    );
    expect(renewed).toMatchObject({ state: 'resolved', words: ['opened', 'resolved'] });
  });

  it.each([
    ['open', 'cert_expires_soon'],
    ['open', 'cert_expired'],
    ['open', 'registration_expires_soon'],
    ['open', 'bimi_certificate_expires_soon'],
    ['open', 'bimi_certificate_expired'],
    ['suspected', 'cert_untrusted'],
    ['suspected', 'bimi_certificate_unfit'],
  ])('a finding is %s after one look when it is %s', (state, code) => {
    const monitor = { id: 1, simulated: false, memory: { learned: true } } as Monitor;
    const found = { code, area: 'bimi', severity: 'warning', subject: 'a.com', evidence: {}, fix: null, rfc: null };
    const look = {
      findings: [found],
      againMs: null,
      answered: true,
      facts: { blacklists: [] },
    } as unknown as Observation;
    const { findings } = advanceFindings(monitor, [], look, { now: new Date(START), newId: () => 1 });
    expect(findings.map((one) => one.state)).toEqual([state]);
  });

  it('a finding of the first run is open at once', () => {
    expect(after([[0, 'critical']], { isFirstRun: true }).state).toBe('open');
  });

  it('a finding that is watched no more ends without a word', () => {
    const open = [
      [0, 'critical'],
      [5 * MINUTE, 'critical'],
      [9 * HOUR, 'unwatched'],
      [18 * HOUR, 'unwatched'],
    ] as const;
    expect(after(open)).toMatchObject({ state: 'resolved', words: [null, 'opened', null, null] });
  });

  it('a finding that comes again is suspected first, and as resolved as before when it was nothing', () => {
    const gone = [
      [0, 'critical'],
      [5 * MINUTE, 'critical'],
      [8 * HOUR, 'clean'],
      [9 * HOUR, 'clean'],
      [20 * HOUR, 'critical'],
    ] as const;
    expect(after(gone).state).toBe('suspected');
    expect(after([...gone, [21 * HOUR, 'clean']])).toMatchObject({
      state: 'resolved',
      words: [null, 'opened', null, 'resolved', null, null],
    });
  });
});

describe('its owner', () => {
  it('its owner hears of the end at once, and of the same finding again when it lasts for six hours', () => {
    const mended = [
      [0, 'critical'],
      [5 * MINUTE, 'critical'],
      [HOUR, 'clean'],
      [2 * HOUR, 'clean'],
    ] as const;
    expect(after(mended).words).toEqual([null, 'opened', null, 'resolved']);
    const again = [...mended, [3 * HOUR, 'critical'], [4 * HOUR, 'critical'], [8 * HOUR, 'critical']] as const;
    expect(after(again).words).toEqual([null, 'opened', null, 'resolved', null, null, 'opened']);
  });

  it('its owner hears at once when it has become worse', () => {
    const worse = [
      [0, 'warning'],
      [5 * MINUTE, 'warning'],
      [HOUR, 'critical'],
      [7 * HOUR, 'critical'],
    ] as const;
    expect(after(worse).words).toEqual([null, 'opened', 'worsened', null]);
  });

  it('its owner hears that it has become milder when six hours have passed, and at last that it is over', () => {
    const milder = [
      [0, 'critical'],
      [5 * MINUTE, 'critical'],
      [HOUR, 'warning'],
      [6 * HOUR, 'warning'],
      [7 * HOUR, 'warning'],
      [8 * HOUR, 'warning'],
      [9 * HOUR, 'clean'],
      [10 * HOUR, 'clean'],
    ] as const;
    const words = [null, 'opened', null, null, 'eased', null, null, 'resolved'];
    expect(after(milder).words).toEqual(words);
    // Whoever hears of critical findings alone hears what has become of one.
    expect(after(milder, { alertFrom: 'critical' }).words).toEqual(words);
  });

  it('its owner hears that it is over before it was said that it has become milder', () => {
    const words = [null, 'opened', null, null, 'resolved'];
    const over = [
      [0, 'critical'],
      [5 * MINUTE, 'critical'],
      [HOUR, 'info'],
      [2 * HOUR, 'clean'],
      [3 * HOUR, 'clean'],
    ] as const;
    expect(after(over).words).toEqual(words);
  });

  it('its owner hears twice within six hours at most of what is now worse and now milder', () => {
    const looks = Array.from(
      { length: 24 },
      (_, n) => [n * 15 * MINUTE, n % 2 === 0 ? 'critical' : 'warning'] as const,
    );
    const { words } = after(looks, { isFirstRun: true });
    expect(words.filter((notification) => notification !== null)).toEqual(['opened']);
  });

  it('its owner hears neither of what was never told nor of what was milder than they want to hear', () => {
    const { memory } = after([[0, 'warning']], { isFirstRun: true });
    const first = { ...markNotified(memory!, null), mutedUntil: null };
    const rules = {
      now: new Date(START + 9 * HOUR),
      timings: LIVE_TIMINGS,
      alertFrom: 'critical',
      isSuppressed: false,
    } as const;
    expect(notificationFor({ ...first, severity: 'info' }, rules)).toBeNull();
    expect(notificationFor({ ...first, state: 'resolved' }, rules)).toBeNull();
  });

  it('its owner hears nothing below what they want to hear, nor while a list is under suspicion', () => {
    const seen = [
      [0, 'warning'],
      [5 * MINUTE, 'warning'],
    ] as const;
    expect(after(seen, { alertFrom: 'critical' }).words).toEqual([null, null]);
    expect(after(seen, { isSuppressed: true }).words).toEqual([null, null]);
  });

  it('its owner hears of the end of what they were told, though its list is under suspicion by then', () => {
    const { memory } = after([
      [0, 'warning'],
      [5 * MINUTE, 'warning'],
    ]);
    const now = new Date(START + 2 * HOUR);
    const ended = { ...markNotified(memory!, new Date(START)), state: 'resolved', mutedUntil: null } as const;
    expect(notificationFor(ended, { now, timings: LIVE_TIMINGS, alertFrom: 'warning', isSuppressed: true })).toBe(
      'resolved',
    );
  });

  it('its owner hears what was held, or muted, as soon as it is no more, if it is still so', () => {
    const { memory } = after(
      [
        [0, 'warning'],
        [5 * MINUTE, 'warning'],
      ],
      { isSuppressed: true },
    );
    const now = new Date(START + HOUR);
    const rules = { now, timings: LIVE_TIMINGS, alertFrom: 'warning', isSuppressed: false } as const;
    expect(notificationFor({ ...memory!, mutedUntil: new Date(START + 2 * HOUR) }, rules)).toBeNull();
    expect(notificationFor({ ...memory!, mutedUntil: new Date(START + HOUR / 2) }, rules)).toBe('opened');
  });

  it('its owner hears once a day of what comes and goes every quarter of an hour', () => {
    const looks = Array.from(
      { length: 4 * 48 },
      (_, n) => [n * 15 * MINUTE, n % 2 === 0 ? 'critical' : 'clean'] as const,
    );
    const { memory, words } = after(looks, { isFirstRun: true });
    expect(isFlapping(memory!, new Date(START + 48 * HOUR), LIVE_TIMINGS)).toBe(true);
    // Opened at first, and flapping from the first day on.
    expect(words.filter((notification) => notification !== null)).toEqual(['opened', 'flapping']);
  });
});
