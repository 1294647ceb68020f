import type { Presentable } from './presenter.js';

/** A caller's credits as both shapes show them: of the day or of the balance. */
export function creditsBody(status: Presentable['credits']): object {
  if (status.source === 'daily')
    return {
      daily_free_credits: status.dailyFreeCredits,
      used_today: status.usedToday,
      reserved: status.reserved,
      remaining: status.remaining,
      ...(status.paidRemaining !== null && { paid_remaining: status.paidRemaining }),
      resets_at: status.resetsAt.toISOString(),
      shared_capacity_available: status.sharedCapacityAvailable,
    };
  return {
    plan: status.plan,
    remaining: status.remaining,
    reserved: status.reserved,
    used_total: status.usedTotal,
    free_granted: status.freeGranted,
    low: status.low,
  };
}
