import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface DailyReservation {
  readonly accountId: string;
  /** `YYYY-MM-DD`. */
  readonly utcDate: string;
  readonly amount: number;
  /** Credits a day: of the account, and of all agents together unless the day's pool has a capacity of its own. */
  readonly allowance: number;
  readonly capacity: number;
  readonly createdAt: Date;
  /** From then on the sweep gives the credits back. */
  readonly lapsesAt: Date;
}

export interface DailyUsage {
  readonly usedByAccount: number;
  readonly usedByAll: number;
  /** Of all agents together, set for this day; null: what is configured. */
  readonly capacity: number | null;
}

/**
 * Statements that PostgreSQL decides alone: no transaction stays open between them. Each locks the pool's row before the
 * account's, so they never wait for each other in a circle.
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
  async reserve(wanted: DailyReservation): Promise<string | null> {
    await this.openPool(wanted.utcDate);
    // The lock waits for whoever changes the pool now and then reads what they left, so every check sees the latest count.
    const rows: { id: string }[] = await this.database.query(
      `WITH pool AS (
         SELECT utc_date FROM agent_daily_pool WHERE utc_date = $2 AND used + $3 <= coalesce(capacity, $5) FOR UPDATE
       ), account AS (
         INSERT INTO agent_daily_usage AS day (account_id, utc_date, used)
         SELECT $1::uuid, utc_date, $3 FROM pool WHERE $3 <= $4
         ON CONFLICT (account_id, utc_date) DO UPDATE SET used = day.used + $3 WHERE day.used + $3 <= $4
         RETURNING utc_date
       ), taken AS (
         UPDATE agent_daily_pool AS pool SET used = used + $3 FROM account WHERE pool.utc_date = account.utc_date
         RETURNING pool.utc_date
       )
       INSERT INTO credit_reservations (account_id, utc_date, amount, created_at, lapses_at)
       SELECT $1, utc_date, $3, $6::timestamptz, $7::timestamptz FROM taken
       RETURNING id`,
      [
        wanted.accountId,
        wanted.utcDate,
        wanted.amount,
        wanted.allowance,
        wanted.capacity,
        wanted.createdAt,
        wanted.lapsesAt,
      ],
    );
    return rows[0]?.id ?? null;
  }

  /**
   * Ends a reservation: `charged` of it stay used, the rest goes back to the day it came from. Only the first end of a
   * reservation does anything.
   * @returns whether this was the first.
   */
  async settle(reservationId: string, charged: number): Promise<boolean> {
    const [row]: { ended: number }[] = await this.database.query(
      `WITH ended AS (
         DELETE FROM credit_reservations WHERE id = $1 RETURNING account_id, utc_date, amount - $2::integer AS refund
       ), pool AS (
         UPDATE agent_daily_pool AS pool SET used = used - refund FROM ended
          WHERE pool.utc_date = ended.utc_date AND refund > 0
         RETURNING account_id, pool.utc_date, refund
       ), account AS (
         UPDATE agent_daily_usage AS day SET used = used - refund FROM pool
          WHERE day.account_id = pool.account_id AND day.utc_date = pool.utc_date
       )
       SELECT count(*)::integer AS ended FROM ended`,
      [reservationId, charged],
    );
    return row!.ended > 0;
  }

  async findUsage(accountId: string, utcDate: string): Promise<DailyUsage> {
    const [row]: DailyUsage[] = await this.database.query(
      `SELECT coalesce((SELECT used FROM agent_daily_usage WHERE account_id = $1 AND utc_date = $2), 0) AS "usedByAccount",
              coalesce((SELECT used FROM agent_daily_pool WHERE utc_date = $2), 0) AS "usedByAll",
              (SELECT capacity FROM agent_daily_pool WHERE utc_date = $2) AS capacity`,
      [accountId, utcDate],
    );
    return row!;
  }

  async findLapsed(now: Date, limit: number): Promise<string[]> {
    const rows: { id: string }[] = await this.database.query(
      'SELECT id FROM credit_reservations WHERE lapses_at <= $1 ORDER BY lapses_at LIMIT $2',
      [now, limit],
    );
    return rows.map(({ id }) => id);
  }

  private async openPool(utcDate: string): Promise<void> {
    if (this.openedDate === utcDate) return;
    await this.database.query('INSERT INTO agent_daily_pool (utc_date, used) VALUES ($1, 0) ON CONFLICT DO NOTHING', [
      utcDate,
    ]);
    this.openedDate = utcDate;
  }
}
