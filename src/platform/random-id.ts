import { randomInt } from 'node:crypto';

const MIN_ID = 2 ** 40;
const MAX_ID = 2 ** 48 - 1;

/** An id that does not reveal how many there are, and that a JavaScript number holds: 48 bits, without the smallest numbers. */
export function randomId(): number {
  return randomInt(MIN_ID, MAX_ID);
}
