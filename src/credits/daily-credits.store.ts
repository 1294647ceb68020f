import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Charge, addUsage, worksOf } from './usage/used-work.js';

export interface DailyReservation {
  readonly accountId: string;
  /** `YYYY-MM-DD`. */
  readonly utcDate: string;
  readonly amount: number;
  /** Credits a day: of the account, and of all agents together unless an administrator has set the day's. */
  readonly allowance: number;
  readonly capacity: number;
  readonly keyId: string;
  readonly purpose: string;
  readonly batchId: number | null;
  readonly paidPartId: string | null;
  readonly createdAt: Date;
  /** The time from which the cleanup gives the credits back; null: never. */
  readonly expiresAt: Date | null;
}

export interface DailyUsage {
  /** Charged, and reserved for work that still runs. */
  readonly usedByAccount: number;
  /** What of it is reserved. */
  readonly reserved: number;
  readonly usedByAll: number;
  /** The capacity that an administrator set for the day; null: the configured one. */
  readonly capacity: number | null;
}

/**
 * Statements that PostgreSQL decides alone: no transaction stays open between them. Each locks rows of usage, then the pool's
 * row, then the account's, so they never wait for each other in a circle. Whoever also takes of a balance does that before.
 */
@Injectable()
export class DailyCreditsStore {
  /** The last day whose pool this process has made sure of. */
  private openedDate = '';

  constructor(private readonly database: DataSource) {}

  /**
   * Takes the credits from the day's pool and from the account's day, or from neither.
   * @returns the reservation's id; null when one of the two has not enough left.
   */
  async reserve(tx: EntityManager, wanted: DailyReservation): Promise<string | null> {
    await this.openPool(wanted.utcDate);
    // The lock waits for the transaction that is changing the pool and then reads its result, so every check sees the latest count.
    const rows: { id: string }[] = await tx.query(
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
        wanted.accountId,
        wanted.utcDate,
        wanted.amount,
        wanted.allowance,
        wanted.capacity,
        wanted.keyId,
        wanted.purpose,
        wanted.createdAt,
        wanted.expiresAt,
        wanted.batchId,
        wanted.paidPartId,
      ],
    );
    return rows[0]?.id ?? null;
  }

  /**
   * Ends a reservation: `charged` of it stay used, the rest goes back to the day it came from. Only the first end of a
   * reservation does anything.
   * @returns whether this was the first.
   */
  async settle(tx: EntityManager, reservationId: string, charge: Charge, at: Date): Promise<boolean> {
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
      [reservationId, charge.credits, at, ...worksOf([{ reservationId, charge }])],
    );
    return row!.ended > 0;
  }

  /** Keeps a part of a reservation used; false when it has ended or holds less. */
  async settlePart(tx: EntityManager, reservationId: string, charge: Charge, at: Date): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `WITH part AS (
         UPDATE credit_reservations SET amount = amount - $2 WHERE id = $1 AND amount >= $2
         RETURNING id, account_id, key_id, purpose
       ), ${addUsage('free_credits', { worked: 'part', at: '$3', works: 4 })}
       SELECT id FROM part`,
      [reservationId, charge.credits, at, ...worksOf([{ reservationId, charge }])],
    );
    return rows.length > 0;
  }

  async giveBack(tx: EntityManager, accountId: string, utcDate: string, credits: number): Promise<void> {
    await tx.query(
      `WITH pool AS (
         UPDATE agent_daily_pool SET used = greatest(used - $3::integer, 0) WHERE utc_date = $2 RETURNING utc_date
       )
       UPDATE agent_daily_usage AS day SET used = greatest(day.used - $3, 0) FROM pool
        WHERE day.account_id = $1 AND day.utc_date = pool.utc_date`,
      [accountId, utcDate, credits],
    );
  }

  async findUsage(tx: EntityManager, accountId: string, utcDate: string): Promise<DailyUsage> {
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
