import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { getAccountId, type Payer } from '../keys/access/principal.js';
import { claimUrl } from '../keys/accounts/claims.service.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { AppError } from '../platform/errors/app-error.js';
import type { DailyStatus } from '../presenting/presenter.js';
import { type CreditSource, expiryOf, type Reservation, type CreditRequest } from './credit-source.js';
import { type Charge, addUsage, worksOf } from './usage/used-work.js';
import { type UtcDay, utcDay } from './usage/utc-day.js';

interface DailyUsage {
  /** Charged, and reserved for work that still runs. */
  readonly usedByAccount: number;
  /** What of it is reserved. */
  readonly reserved: number;
  readonly usedByAll: number;
  /** The capacity that an administrator set for the day; null: the configured one. */
  readonly capacity: number | null;
}

/**
 * Free credits of a UTC day, out of the pool that all agents share.
 *
 * Its statements PostgreSQL decides alone: no transaction stays open between them. Each locks rows of usage, then the pool's row, then
 * the account's, so they never wait for each other in a circle. Whoever also takes of a balance does that before.
 */
@Injectable()
export class DailyCreditsService implements CreditSource {
  /** The last day whose pool this process has made sure of. */
  private openedDate = '';

  constructor(
    private readonly database: DataSource,
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
    const { date } = utcDay(now);
    const { amountCredits, purpose, batchId, paidPartId } = wanted;
    await this.openPool(date);
    // The lock waits for the transaction that is changing the pool and then reads its result, so every check sees the latest count.
    const [taken]: { id: string }[] = await tx.query(
      `WITH pool AS (
         SELECT utc_date FROM agent_daily_pool
          WHERE utc_date = $2 AND used + $3 <= coalesce(capacity, $5) FOR UPDATE
       ), account AS (
         INSERT INTO agent_daily_usage AS day (account_id, utc_date, used)
         SELECT $1::uuid, utc_date, $3 FROM pool WHERE $3 <= $4
         ON CONFLICT (account_id, utc_date) DO UPDATE SET used = day.used + $3 WHERE day.used + $3 <= $4
         RETURNING utc_date
       ), taken AS (
         UPDATE agent_daily_pool AS pool SET used = used + $3 FROM account WHERE pool.utc_date = account.utc_date
         RETURNING pool.utc_date
       )
       INSERT INTO credit_reservations (account_id, utc_date, amount, key_id, purpose, created_at, expires_at, batch_id,
                                        paid_part_id)
       SELECT $1, utc_date, $3, $6::uuid, $7, $8::timestamptz, $9::timestamptz, $10::bigint, $11::uuid FROM taken
       RETURNING id`,
      [
        getAccountId(principal),
        date,
        amountCredits,
        allowanceOf(principal),
        this.env.agentDailyCapacity,
        principal.keyId,
        purpose,
        new Date(now),
        expiryOf(wanted, now),
        batchId,
        paidPartId,
      ],
    );
    return taken === undefined ? null : { id: taken.id, amountCredits, source: 'daily', utcDate: date };
  }

  settle(reservationId: string, charge: Charge): Promise<boolean> {
    return this.settleIn(this.database.manager, reservationId, charge);
  }

  async getStatus(principal: Payer, tx: EntityManager = this.database.manager): Promise<DailyStatus> {
    const day = utcDay(this.clock.now());
    const usage = await this.findUsage(tx, getAccountId(principal), day.date);
    return this.statusOf(principal, usage, day);
  }

  /** What of the day's free credits could be taken now: of the agent's own, and of the pool. */
  async findFree(tx: EntityManager, principal: Payer): Promise<number> {
    const usage = await this.findUsage(tx, getAccountId(principal), utcDay(this.clock.now()).date);
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
    const usage = await this.findUsage(tx, getAccountId(principal), day.date);
    const { remaining } = this.statusOf(principal, usage, day);
    if (remaining >= required) return new AppError('daily_capacity_exhausted', { retryAfterSeconds: day.secondsLeft });
    return new AppError('credits_insufficient', {
      message: `Today's free credits do not suffice; they start again at ${day.endsAt.toISOString()}. A person with an account lets you go on before: claim_url says how.`,
      body: { required, remaining, resets_at: day.endsAt.toISOString(), claim_url: claimUrl(this.env.publicUrl) },
    });
  }

  /**
   * Ends a reservation: `charged` of it stay used, the rest goes back to the day it came from. Only the first end of a
   * reservation does anything.
   * @returns whether this was the first.
   */
  async settleIn(tx: EntityManager, reservationId: string, charge: Charge): Promise<boolean> {
    const [row]: { ended: number }[] = await tx.query(
      `WITH ended AS (
         DELETE FROM credit_reservations WHERE id = $1
         RETURNING id, account_id, key_id, purpose, utc_date, greatest(amount - $2::integer, 0) AS refund
       ), ${addUsage('free_credits', { worked: 'ended', at: '$3', works: 4 })}, pool AS (
         UPDATE agent_daily_pool AS pool SET used = used - refund FROM ended, (SELECT count(*) FROM usage) AS counted
          WHERE pool.utc_date = ended.utc_date AND refund > 0
         RETURNING account_id, pool.utc_date, refund
       ), account AS (
         UPDATE agent_daily_usage AS day SET used = used - refund FROM pool
          WHERE day.account_id = pool.account_id AND day.utc_date = pool.utc_date
       )
       SELECT count(*)::integer AS ended FROM ended`,
      [reservationId, charge.credits, this.clock.date(), ...worksOf([{ reservationId, charge }])],
    );
    return row!.ended > 0;
  }

  /** Keeps a part of a reservation used; false when it has ended or holds less. */
  async settlePart(tx: EntityManager, reservationId: string, charge: Charge): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `WITH part AS (
         UPDATE credit_reservations SET amount = amount - $2 WHERE id = $1 AND amount >= $2
         RETURNING id, account_id, key_id, purpose
       ), ${addUsage('free_credits', { worked: 'part', at: '$3', works: 4 })}
       SELECT id FROM part`,
      [reservationId, charge.credits, this.clock.date(), ...worksOf([{ reservationId, charge }])],
    );
    return rows.length > 0;
  }

  /** Gives back what was charged, to the day from which it was taken. */
  async giveBack(tx: EntityManager, accountId: string, credits: number, utcDate: string): Promise<void> {
    await tx.query(
      `WITH pool AS (
         UPDATE agent_daily_pool SET used = greatest(used - $3::integer, 0) WHERE utc_date = $2 RETURNING utc_date
       )
       UPDATE agent_daily_usage AS day SET used = greatest(day.used - $3, 0) FROM pool
        WHERE day.account_id = $1 AND day.utc_date = pool.utc_date`,
      [accountId, utcDate, credits],
    );
  }

  private async findUsage(tx: EntityManager, accountId: string, utcDate: string): Promise<DailyUsage> {
    const [row]: DailyUsage[] = await tx.query(
      `SELECT coalesce(day.used, 0) AS "usedByAccount", coalesce(pool.used, 0) AS "usedByAll", pool.capacity,
              (SELECT coalesce(sum(amount), 0)::integer FROM credit_reservations AS held
                WHERE held.account_id = asked.account_id AND held.utc_date = asked.utc_date) AS reserved
         FROM (SELECT $1::uuid AS account_id, $2::date AS utc_date) AS asked
         LEFT JOIN agent_daily_usage day USING (account_id, utc_date) LEFT JOIN agent_daily_pool pool USING (utc_date)`,
      [accountId, utcDate],
    );
    return row!;
  }

  private async openPool(utcDate: string): Promise<void> {
    if (this.openedDate === utcDate) return;
    await this.database.query('INSERT INTO agent_daily_pool (utc_date, used) VALUES ($1, 0) ON CONFLICT DO NOTHING', [
      utcDate,
    ]);
    this.openedDate = utcDate;
  }
}

function allowanceOf({ policy }: Payer): number {
  if (policy.dailyFreeCredits === null) throw new Error(`policy "${policy.name}" has no daily credits`);
  return policy.dailyFreeCredits;
}
