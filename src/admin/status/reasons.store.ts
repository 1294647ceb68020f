import { statfs } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, type WallClock } from '../../platform/clock.js';

/** Why nobody works on a batch whose chunks are due. */
export interface WaitingReason {
  /** Whose workers alone may work on it; null: any worker may. */
  readonly region: string | null;
  /** Its chunks that are due, and how often the most unlucky one was begun. */
  readonly due: number;
  readonly mostAttempts: number;
  /** Chunks of other batches that workers have now, and workers that are alive. */
  readonly leasedElsewhere: number;
}

/** What the credits of a key that was refused with 402 are now. */
export interface CreditLimits {
  readonly keyId: string;
  /** Of the account; null: an agent, which has free credits only. */
  readonly available: number | null;
  readonly reserved: number | null;
  /** Ceilings of the key that are used up, with their limits. */
  readonly usedUp: readonly { readonly per: 'day' | 'month' | 'all'; readonly credits: number }[];
}

/** The disk of the database's files. */
export interface Disk {
  readonly freeBytes: number;
  readonly bytes: number;
}

/** Why something is as it is that the status shows. */
@Injectable()
export class ReasonsStore {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async whyWaiting(batchId: number): Promise<WaitingReason> {
    const [reason]: [WaitingReason] = await this.database.query(
      `SELECT (SELECT region FROM batches JOIN accounts ON accounts.id = account_id
                WHERE batches.id = $1 AND NOT batches.simulated) AS region,
              count(*) FILTER (WHERE batch_id = $1 AND due_at <= $2)::integer AS due,
              coalesce(max(attempts) FILTER (WHERE batch_id = $1), 0)::integer AS "mostAttempts",
              count(*) FILTER (WHERE batch_id <> $1 AND lease_expires_at > $2)::integer AS "leasedElsewhere"
         FROM batch_chunks WHERE NOT done AND (batch_id = $1 OR lease_expires_at > $2)`,
      [batchId, new Date(this.clock.now())],
    );
    return reason;
  }

  async limitsOf(keyIds: readonly string[]): Promise<CreditLimits[]> {
    const today = new Date(this.clock.now()).toISOString().slice(0, 'YYYY-MM-DD'.length);
    const rows: Limits[] = await this.database.query(
      `SELECT api_keys.id AS "keyId", available, reserved, credits_per_day AS "perDay", credits_per_month AS "perMonth",
              credits_total AS total, used_date AS "usedDate", used_day AS "usedDay", used_month AS "usedMonth", key_ceilings.used_total AS "usedTotal"
         FROM api_keys LEFT JOIN credit_balances ON credit_balances.account_id = api_keys.account_id AND api_keys.kind <> 'agent'
         LEFT JOIN key_ceilings ON key_ceilings.id = ceiling_id
        WHERE api_keys.id = ANY ($1::uuid[])`,
      [keyIds],
    );
    return rows.map(({ keyId, available, reserved, ...used }) => ({
      keyId,
      available,
      reserved,
      usedUp: usedUp(used, today),
    }));
  }

  /** Null where the files of PostgreSQL are on another machine, or we may not ask where they are. */
  async disk(): Promise<Disk | null> {
    try {
      const [{ folder, isHere }]: [{ folder: string; isHere: boolean }] = await this.database.query(
        `SELECT current_setting('data_directory') AS folder,
                coalesce(inet_server_addr() <<= ANY ('{127.0.0.0/8,::1/128}'::inet[]), true) AS "isHere"`,
      );
      if (!isHere) return null;
      const { bsize, bavail, blocks } = await statfs(folder);
      return { freeBytes: bsize * bavail, bytes: bsize * blocks };
    } catch {
      return null;
    }
  }
}

interface Used {
  readonly perDay: number | null;
  readonly perMonth: number | null;
  readonly total: number | null;
  readonly usedDate: string | null;
  readonly usedDay: number | null;
  readonly usedMonth: number | null;
  readonly usedTotal: number | null;
}

interface Limits extends Used {
  readonly keyId: string;
  readonly available: number | null;
  readonly reserved: number | null;
}

function usedUp(
  { perDay, perMonth, total, usedDate, usedDay, usedMonth, usedTotal }: Used,
  today: string,
): CreditLimits['usedUp'] {
  const isToday = usedDate === today;
  const isThisMonth = usedDate?.slice(0, 'YYYY-MM'.length) === today.slice(0, 'YYYY-MM'.length);
  const isFull = (limit: number | null, used: number | null): limit is number => limit !== null && (used ?? 0) >= limit;
  return [
    ...(isFull(perDay, isToday ? usedDay : 0) ? [{ per: 'day' as const, credits: perDay }] : []),
    ...(isFull(perMonth, isThisMonth ? usedMonth : 0) ? [{ per: 'month' as const, credits: perMonth }] : []),
    ...(isFull(total, usedTotal) ? [{ per: 'all' as const, credits: total }] : []),
  ];
}
