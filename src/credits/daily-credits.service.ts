import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { getAccountId, type Payer } from '../keys/access/principal.js';
import { claimUrl } from '../keys/accounts/claims.service.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { AppError } from '../platform/errors/app-error.js';
import type { DailyStatus } from '../presenting/presenter.js';
import { type CreditSource, expiryOf, type Reservation, type CreditRequest } from './credit-source.js';
import type { Charge } from './usage/used-work.js';
import { DailyCreditsStore, type DailyUsage } from './daily-credits.store.js';
import { type UtcDay, utcDay } from './usage/utc-day.js';

/** Free credits of a UTC day, out of the pool that all agents share. */
@Injectable()
export class DailyCreditsService implements CreditSource {
  constructor(
    private readonly database: DataSource,
    private readonly store: DailyCreditsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(ENV) private readonly env: Env,
  ) {}

  reserve(principal: Payer, wanted: CreditRequest): Promise<Reservation> {
    return this.reserveIn(this.database.manager, principal, wanted);
  }

  /** @throws AppError `credits_insufficient` or `daily_capacity_exhausted`; then nothing is taken */
  async reserveIn(tx: EntityManager, principal: Payer, wanted: CreditRequest): Promise<Reservation> {
    const reservation = await this.tryReserve(tx, principal, wanted);
    if (reservation === null) throw await this.refusal(tx, principal, wanted.amountCredits);
    return reservation;
  }

  /** Null when the agent's day or the shared pool has not enough left; then nothing is taken. */
  async tryReserve(tx: EntityManager, principal: Payer, wanted: CreditRequest): Promise<Reservation | null> {
    const now = this.clock.now();
    const day = utcDay(now);
    const id = await this.store.reserve(tx, {
      accountId: getAccountId(principal),
      utcDate: day.date,
      amount: wanted.amountCredits,
      allowance: allowanceOf(principal),
      capacity: this.env.agentDailyCapacity,
      keyId: principal.keyId,
      purpose: wanted.purpose,
      batchId: wanted.batchId ?? null,
      paidPartId: wanted.paidPartId ?? null,
      createdAt: new Date(now),
      expiresAt: expiryOf(wanted, now),
    });
    return id === null ? null : { id, amountCredits: wanted.amountCredits, source: 'daily' };
  }

  settle(reservationId: string, charge: Charge): Promise<boolean> {
    return this.settleIn(this.database.manager, reservationId, charge);
  }

  settleIn(tx: EntityManager, reservationId: string, charge: Charge): Promise<boolean> {
    return this.store.settle(tx, reservationId, charge, this.clock.date());
  }

  settlePart(tx: EntityManager, reservationId: string, charge: Charge): Promise<boolean> {
    return this.store.settlePart(tx, reservationId, charge, this.clock.date());
  }

  /** Gives back what was charged at a time, to that day. */
  giveBack(tx: EntityManager, accountId: string, credits: number, at: Date): Promise<void> {
    return this.store.giveBack(tx, accountId, utcDay(at.getTime()).date, credits);
  }

  async getStatus(principal: Payer, tx: EntityManager = this.database.manager): Promise<DailyStatus> {
    const day = utcDay(this.clock.now());
    const usage = await this.store.findUsage(tx, getAccountId(principal), day.date);
    return this.statusOf(principal, usage, day);
  }

  /** What of the day's free credits could be taken now: of the agent's own, and of the pool. */
  async findFree(tx: EntityManager, principal: Payer): Promise<number> {
    const usage = await this.store.findUsage(tx, getAccountId(principal), utcDay(this.clock.now()).date);
    const pool = (usage.capacity ?? this.env.agentDailyCapacity) - usage.usedByAll;
    return Math.max(0, Math.min(allowanceOf(principal) - usage.usedByAccount, pool));
  }

  private statusOf(principal: Payer, usage: DailyUsage, day: UtcDay): DailyStatus {
    const dailyFreeCredits = allowanceOf(principal);
    return {
      source: 'daily',
      dailyFreeCredits,
      usedToday: usage.usedByAccount - usage.reserved,
      reserved: usage.reserved,
      remaining: Math.max(0, dailyFreeCredits - usage.usedByAccount),
      paidRemaining: null,
      resetsAt: day.endsAt,
      sharedCapacityAvailable: usage.usedByAll < (usage.capacity ?? this.env.agentDailyCapacity),
    };
  }

  /** The account's own credits are looked at before the pool (docs/credits.md#agents-free-credits-of-the-day). */
  private async refusal(tx: EntityManager, principal: Payer, required: number): Promise<AppError> {
    const day = utcDay(this.clock.now());
    const usage = await this.store.findUsage(tx, getAccountId(principal), day.date);
    const { remaining } = this.statusOf(principal, usage, day);
    if (remaining >= required) return new AppError('daily_capacity_exhausted', { retryAfterSeconds: day.secondsLeft });
    return new AppError('credits_insufficient', {
      message: `Today's free credits do not suffice; they start again at ${day.endsAt.toISOString()}. A person with an account lets you go on before: claim_url says how.`,
      body: { required, remaining, resets_at: day.endsAt.toISOString(), claim_url: claimUrl(this.env.publicUrl) },
    });
  }
}

function allowanceOf({ policy }: Payer): number {
  if (policy.dailyFreeCredits === null) throw new Error(`policy "${policy.name}" has no daily credits`);
  return policy.dailyFreeCredits;
}
