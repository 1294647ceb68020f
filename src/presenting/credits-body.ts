import type { Presentable } from './presenter.js';

/** The members that both shapes tell of a caller's credits: of the day or of the balance. */
export function creditsBody(standing: Presentable['credits']): object {
  if (standing.source === 'daily')
    return {
      daily_free_credits: standing.dailyFreeCredits,
      used_today: standing.usedToday,
      remaining: standing.remaining,
      resets_at: standing.resetsAt.toISOString(),
      shared_capacity_available: standing.sharedCapacityAvailable,
    };
  return {
    plan: standing.plan,
    remaining: standing.remaining,
    reserved: standing.reserved,
    used_total: standing.usedTotal,
    free_granted: standing.freeGranted,
    low: standing.low,
  };
}
