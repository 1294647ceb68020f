import type { Account } from '../../shell/api.js';

export type Schedule = Account['schemas']['NamedScheduleReply'];
export type ScheduleRequest = Account['schemas']['ListScheduleRequest'];

/** What the API is sent for a schedule as it is: it is always set whole. */
export function requestOf({ every_days, verdicts, reuse_days, max_credits, enabled }: Schedule): ScheduleRequest {
  return { every_days, verdicts, reuse_days, max_credits, enabled };
}

export const everyDays = (days: number): string => (days === 1 ? 'every day' : `every ${days} days`);
