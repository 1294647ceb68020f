import type { DailyStanding } from './presenter.js';

/** The members that both shapes tell of a day's credits. */
export function dailyCreditsBody(standing: DailyStanding): object {
  return {
    daily_free_credits: standing.dailyFreeCredits,
    used_today: standing.usedToday,
    remaining: standing.remaining,
    resets_at: standing.resetsAt.toISOString(),
    shared_capacity_available: standing.sharedCapacityAvailable,
  };
}
