import { Inject, Injectable } from '@nestjs/common';
import { getAccountId, type Principal } from '../keys/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { AppError } from '../platform/errors/app-error.js';
import { DailyCreditsStore, type DailyUsage } from './daily-credits.store.js';
import { type UtcDay, utcDay } from './utc-day.js';

/** Credits taken for work that has begun; the work ends it by `settle` or `release`. */
export interface Reservation {
  readonly id: string;
  readonly amountCredits: number;
}

export interface DailyStanding {
  readonly dailyFreeCredits: number;
  readonly usedToday: number;
  readonly remaining: number;
  readonly resetsAt: Date;
  /** Whether all agents together have left at least one of the day's credits. */
  readonly sharedCapacityAvailable: boolean;
}

/** A process that died gives its credits back this long after its work should have ended. */
const LAPSE_MARGIN_MS = 10_000;

/** The credits of a caller: reserved before the work, settled or released after it. */
@Injectable()
export class CreditsService {
  constructor(
    private readonly store: DailyCreditsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /**
   * @param workMs the longest that the work may take
   * @throws AppError `credits_insufficient` or `daily_capacity_exhausted`; then nothing is taken
   */
  async reserve(principal: Principal, amountCredits: number, workMs: number): Promise<Reservation> {
    const now = this.clock.now();
    const day = utcDay(now);
    const wanted = {
      accountId: getAccountId(principal),
      utcDate: day.date,
      amount: amountCredits,
      allowance: allowanceOf(principal),
      capacity: this.env.agentDailyCapacity,
      createdAt: new Date(now),
      lapsesAt: new Date(now + workMs + LAPSE_MARGIN_MS),
    };
    const id = await this.store.reserve(wanted);
    if (id === null) throw await this.refusal(principal, amountCredits, day);
    return { id, amountCredits };
  }

  /**
   * Charges what the work cost, at most what was reserved; the rest goes back.
   * @returns what was charged: nothing when the reservation had lapsed.
   */
  async settle({ id }: Reservation, chargedCredits: number): Promise<number> {
    return (await this.store.settle(id, chargedCredits)) ? chargedCredits : 0;
  }

  async release(reservation: Reservation): Promise<void> {
    await this.settle(reservation, 0);
  }

  /** Gives back what processes that died had reserved. */
  async releaseLapsed(limit = 1000): Promise<number> {
    const ids = await this.store.findLapsed(new Date(this.clock.now()), limit);
    for (const id of ids) await this.store.settle(id, 0);
    return ids.length;
  }

  async getStanding(principal: Principal): Promise<DailyStanding> {
    const day = utcDay(this.clock.now());
    return this.standingOf(principal, await this.store.findUsage(getAccountId(principal), day.date), day);
  }

  private standingOf(
    principal: Principal,
    { usedByAccount, usedByAll, capacity }: DailyUsage,
    day: UtcDay,
  ): DailyStanding {
    const dailyFreeCredits = allowanceOf(principal);
    return {
      dailyFreeCredits,
      usedToday: usedByAccount,
      remaining: Math.max(0, dailyFreeCredits - usedByAccount),
      resetsAt: day.endsAt,
      sharedCapacityAvailable: usedByAll < (capacity ?? this.env.agentDailyCapacity),
    };
  }

  /** The account's own credits are looked at before the pool (contract section 2, order of checks). */
  private async refusal(principal: Principal, required: number, day: UtcDay): Promise<AppError> {
    const usage = await this.store.findUsage(getAccountId(principal), day.date);
    const { remaining } = this.standingOf(principal, usage, day);
    if (remaining >= required) return new AppError('daily_capacity_exhausted', { retryAfterSeconds: day.secondsLeft });
    return new AppError('credits_insufficient', {
      message: `Today's free credits do not suffice; they start again at ${day.endsAt.toISOString()}.`,
      body: { required, remaining, resets_at: day.endsAt.toISOString() },
    });
  }
}

function allowanceOf({ policy }: Principal): number {
  if (policy.dailyFreeCredits === null) throw new Error(`policy "${policy.name}" has no daily credits`);
  return policy.dailyFreeCredits;
}
