import { expect, it } from 'vitest';
import { counted } from './counted.js';

it.each([
  [0, 'credit', undefined, '0 credits'],
  [1, 'credit', undefined, '1 credit'],
  [2, 'credit', undefined, '2 credits'],
  [1, 'address', 'addresses', '1 address'],
  [21, 'address', 'addresses', '21 addresses'],
])('%i of a %s is told as people say it', (count, one, others, text) => {
  expect(counted(count, one, others)).toBe(text);
});
