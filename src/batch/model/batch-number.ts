import { randomInt } from 'node:crypto';
import { DAY_MS } from '../../lib/durations.js';

/** The day before the first one: ids are above 0, and days until 2048 fit what JSON's numbers hold. */
const DAYS_FROM_MS = Date.UTC(2025, 11, 31);
const MAX_DAY = 2 ** 13 - 1;
/** So many batches a day could be told apart. */
const IDS_A_DAY = 2 ** 40;

/**
 * The id of a batch: the day on which it is made, since rows are stored in a partition for each day, and a random number, so that it does
 * not reveal how many batches there are.
 * @param at milliseconds since the epoch
 */
export function newBatchId(at: number): number {
  return firstIdOf(dayOf(at)) + randomInt(IDS_A_DAY);
}

/** The number that ids of this time begin with. */
export function dayOf(at: number): number {
  return Math.min(Math.max(Math.floor((at - DAYS_FROM_MS) / DAY_MS), 1), MAX_DAY);
}

/** All ids of the day are this one or above, and below that of the day after. */
export function firstIdOf(day: number): number {
  return day * IDS_A_DAY;
}

/** The day as `YYYYMMDD`. */
export function dateOf(day: number): string {
  return new Date(DAYS_FROM_MS + day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
}
