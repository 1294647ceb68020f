import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import { ReadDatabase } from '../../platform/database/read-database.js';
import type { ErrorCode } from '../../platform/errors/error-catalog.js';

/** Work of one outcome for which nothing was reserved. */
export interface FreeWork {
  readonly accountId: string;
  readonly utcDate: string;
  readonly keyId: string;
  readonly simulated: boolean;
  readonly endpoint: string;
  readonly verdict: string;
  readonly reason: string;
  readonly count: number;
}

/** Requests of a key that were refused, on one day. */
export interface Refusals {
  readonly accountId: string;
  readonly keyId: string;
  readonly simulated: boolean;
  readonly status: 402 | 429;
  readonly code: ErrorCode;
  readonly utcDate: string;
  readonly count: number;
}

/** What usage is told by, and the column that has it. */
export const USAGE_COLUMNS = {
  day: 'utc_date',
  key: 'key_id',
  verdict: 'verdict',
  reason: 'reason',
  endpoint: 'endpoint',
} as const;
export type UsageColumn = keyof typeof USAGE_COLUMNS;

export interface UsagePeriod {
  /** `YYYY-MM-DD`, both of them in. */
  readonly from: string;
  readonly to: string;
}

export interface UsageRow {
  readonly value: string;
  readonly items: number;
  readonly credits: number;
  readonly freeCredits: number;
}

/** What one key did on one day at one endpoint with one outcome. */
export interface UsageDay {
  readonly day: string;
  readonly keyId: string;
  readonly endpoint: string;
  readonly verdict: string;
  readonly reason: string;
  readonly items: number;
  readonly credits: number;
  readonly freeCredits: number;
}

/** How often a key was refused by one code on one day. */
export interface RefusalDay {
  readonly day: string;
  readonly keyId: string;
  readonly status: 402 | 429;
  readonly code: string;
  readonly refusals: number;
}

export interface RefusedRow {
  readonly value: string;
  readonly status: 402 | 429;
  readonly refusals: number;
}

/** Far more keys than an account has. */
const MAX_ROWS = 10_000;

/** The daily roll-up of usage. What is charged is written by the statements that charge (`used-work.ts`). */
@Injectable()
export class UsageStore {
  constructor(
    private readonly database: DataSource,
    private readonly reads: ReadDatabase,
  ) {}

  /** Rows are locked in the order of their keys, so that processes never wait for each other in a circle. */
  async add(works: readonly FreeWork[], refusals: readonly Refusals[]): Promise<void> {
    await this.database.query(
      `WITH works AS (
         INSERT INTO usage_days AS day
           (account_id, utc_date, key_id, endpoint, verdict, reason, simulated, items, credits, free_credits)
         SELECT "accountId", "utcDate", "keyId", endpoint, verdict, reason, simulated, count, 0, 0
           FROM json_to_recordset($1) AS work
                  ("accountId" uuid, "utcDate" date, "keyId" uuid, simulated boolean, endpoint text, verdict text, reason text,
                   count bigint)
          ORDER BY 1, 2, 3, 4, 5, 6
         ON CONFLICT (account_id, utc_date, key_id, endpoint, verdict, reason)
         DO UPDATE SET items = day.items + excluded.items
       )
       INSERT INTO usage_refusals AS day (account_id, utc_date, key_id, status, code, simulated, refusals)
       SELECT "accountId", "utcDate", "keyId", status, code, simulated, count
         FROM json_to_recordset($2) AS refused
                ("accountId" uuid, "utcDate" date, "keyId" uuid, status smallint, code text, simulated boolean, count bigint)
        ORDER BY 1, 2, 3, 4, 5
       ON CONFLICT (account_id, utc_date, key_id, status, code) DO UPDATE SET refusals = day.refusals + excluded.refusals`,
      [JSON.stringify(works), JSON.stringify(refusals)],
    );
  }

  /** In the order of the values. */
  find({ accountId, simulated }: Owner, by: UsageColumn, { from, to }: UsagePeriod): Promise<UsageRow[]> {
    return this.reads.query(
      `SELECT ${USAGE_COLUMNS[by]}::text AS value, sum(items)::bigint AS items, sum(credits)::bigint AS credits,
              sum(free_credits)::bigint AS "freeCredits"
         FROM usage_days
        WHERE account_id = $1 AND simulated = $2 AND utc_date BETWEEN $3 AND $4 GROUP BY 1 ORDER BY 1 LIMIT ${MAX_ROWS}`,
      [accountId, simulated, from, to],
    );
  }

  /** In the order of the key of the table. @param after the last one of the page before */
  days({ accountId, simulated }: Owner, after: UsageDay | null, limit: number): Promise<UsageDay[]> {
    return this.reads.query(
      `SELECT utc_date AS day, key_id AS "keyId", endpoint, verdict, reason, items, credits, free_credits AS "freeCredits"
         FROM usage_days
        WHERE account_id = $1 AND simulated = $2
          AND ($3::date IS NULL OR (utc_date, key_id, endpoint, verdict, reason) > ($3, $4::uuid, $5, $6, $7))
        ORDER BY utc_date, key_id, endpoint, verdict, reason LIMIT $8`,
      [accountId, simulated, after?.day, after?.keyId, after?.endpoint, after?.verdict, after?.reason, limit],
    );
  }

  /** In the order of the key of the table. @param after the last one of the page before */
  refusalDays({ accountId, simulated }: Owner, after: RefusalDay | null, limit: number): Promise<RefusalDay[]> {
    return this.reads.query(
      `SELECT utc_date AS day, key_id AS "keyId", status, code, refusals FROM usage_refusals
        WHERE account_id = $1 AND simulated = $2
          AND ($3::date IS NULL OR (utc_date, key_id, status, code) > ($3, $4::uuid, $5::smallint, $6))
        ORDER BY utc_date, key_id, status, code LIMIT $7`,
      [accountId, simulated, after?.day, after?.keyId, after?.status, after?.code, limit],
    );
  }

  /** By day or key; what else usage is told by, a refused request does not have. */
  findRefusals({ accountId, simulated }: Owner, by: 'day' | 'key', { from, to }: UsagePeriod): Promise<RefusedRow[]> {
    return this.reads.query(
      `SELECT ${USAGE_COLUMNS[by]}::text AS value, status, sum(refusals)::bigint AS refusals
         FROM usage_refusals
        WHERE account_id = $1 AND simulated = $2 AND utc_date BETWEEN $3 AND $4 GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ${MAX_ROWS}`,
      [accountId, simulated, from, to],
    );
  }
}
