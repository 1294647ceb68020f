import { expect, it } from 'vitest';
import { leftText } from './verify-in-order.js';

it('a bar says how long it still takes in seconds, from two minutes on in minutes, and nothing where nobody knows', () => {
  expect([119_400, 120_000, 4 * 3_600_000].map(leftText)).toEqual([', 119 s left', ', 2 min left', ', 240 min left']);
  expect(leftText(null)).toBe('');
  expect(leftText(-5_000)).toBe(', 0 s left');
});
