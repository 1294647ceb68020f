import { DAY_MS, HOUR_MS } from '../lib/durations.js';
import type { Verdict } from '../batch/model/chunk-result.js';
import type { Owner } from '../keys/access/owner.js';

export const RUN_STATES = ['running', 'completed', 'skipped', 'failed'] as const;

/** Of an account in each mode. */
export const MAX_SCHEDULES = 100;

/** A list that is verified again and again. */
export interface ListSchedule extends Owner {
  readonly listId: number;
  /** The key that orders its runs. */
  readonly keyId: string;
  readonly everyDays: number;
  /** Answers that are asked for again, besides `unknown`; null: all. */
  readonly verdicts: readonly Verdict[] | null;
  readonly reuseDays: number;
  /** The most that a run may cost; null: whatever it costs. */
  readonly maxCredits: number | null;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly nextRunAt: Date;
  /** Set from the transaction that queues the batch of a run to the one that compares it. */
  readonly runningBatchId: number | null;
  /** The version that the run is compared with. */
  readonly runningSourceId: number | null;
  readonly lastRunAt: Date | null;
  readonly lastRunStatus: (typeof RUN_STATES)[number] | null;
  /** Why it was skipped, as a code of the errors, or has failed: what became of its batch. */
  readonly lastRunReason: string | null;
  readonly lastRunBatchId: number | null;
  readonly lastRunChanged: number | null;
}

export interface NamedSchedule extends ListSchedule {
  /** The list's; null: it has none of its own. */
  readonly name: string | null;
}

/** What changes when a run begins, ends or is skipped. */
export type RunColumns = Omit<
  ListSchedule,
  keyof Owner | 'listId' | 'keyId' | 'everyDays' | 'verdicts' | 'reuseDays' | 'maxCredits' | 'enabled' | 'createdAt'
>;

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
