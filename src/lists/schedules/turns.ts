import { DAY_MS, HOUR_MS } from '../../lib/durations.js';
import type { ListSchedule } from './list-schedule.js';

/** Runs begin up to so much later than the day says, so that lists which were scheduled together do not come together. */
const MAX_JITTER_MS = HOUR_MS;

/** A whole turn from now. */
export function firstRunOf(everyDays: number, now: number): Date {
  return new Date(now + everyDays * DAY_MS + Math.floor(Math.random() * MAX_JITTER_MS));
}

/** Whole turns after the time that has come: turns that went by while nobody worked are left out. */
export function nextRunOf({ nextRunAt, everyDays }: Pick<ListSchedule, 'nextRunAt' | 'everyDays'>, at: Date): Date {
  const turnMs = everyDays * DAY_MS;
  const turns = Math.floor((at.getTime() - nextRunAt.getTime()) / turnMs) + 1;
  return new Date(nextRunAt.getTime() + turns * turnMs);
}
