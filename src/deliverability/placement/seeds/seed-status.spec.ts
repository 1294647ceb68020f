import { expect, it } from 'vitest';
import { GRACE_MS, nextReadAt, waitMs } from './seed-status.js';

const AT = new Date('2026-11-26T10:00:00Z');
const inS = (seconds: number) => new Date(AT.getTime() + seconds * 1_000);

it('a seed is looked at after 15, 30 and 60 seconds, then every 2 minutes, and every 10 when it takes long', () => {
  expect([0, 1, 2, 3, 4, 31, 32, 500].map((looks) => waitMs(looks) / 1_000)).toEqual([
    15, 30, 60, 120, 120, 120, 600, 600,
  ]);
});

it('the last look is at the end of the test, and there is none after one that succeeded', () => {
  const plan = { looks: 3, at: AT, hasFailed: false };
  expect(nextReadAt({ ...plan, settlesAt: null })).toEqual(inS(120));
  expect(nextReadAt({ ...plan, settlesAt: inS(1_800) })).toEqual(inS(120));
  expect(nextReadAt({ ...plan, settlesAt: inS(70) })).toEqual(inS(70));
  expect(nextReadAt({ ...plan, settlesAt: AT })).toBeNull();
});

it('a seed that fails at the end is tried for 10 minutes more', () => {
  const plan = { looks: 3, hasFailed: true, settlesAt: AT };
  expect(nextReadAt({ ...plan, at: AT })).toEqual(inS(120));
  expect(nextReadAt({ ...plan, at: inS(GRACE_MS / 1_000 - 120) })).toBeNull();
});
