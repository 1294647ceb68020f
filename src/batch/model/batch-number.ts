import { randomInt } from 'node:crypto';

/** Ids are random, so that they do not reveal how many batches there are: 48 bits, without the smallest numbers. */
const MIN_ID = 2 ** 40;
const MAX_ID = 2 ** 48 - 1;

export function newBatchId(): number {
  return randomInt(MIN_ID, MAX_ID);
}
