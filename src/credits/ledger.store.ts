import { Injectable } from '@nestjs/common';
import { And, Between, type FindOperator, In, LessThan, MoreThanOrEqual } from 'typeorm';
import { HOUR_MS } from '../lib/durations.js';
import type { Owner } from '../keys/access/owner.js';
import { ReadDatabase } from '../platform/database/read-database.js';
import { LedgerEntry } from './ledger-entry.entity.js';

export type { LedgerEntry };

export type LedgerKind = LedgerEntry['kind'];

/** Which entries; null: whatever it is. */
export interface LedgerFilter {
  readonly kinds: readonly LedgerKind[] | null;
  readonly keyId: string | null;
  readonly batchId: number | null;
  readonly from: Date | null;
  /** Entries before this time. */
  readonly until: Date | null;
}

export const ALL_ENTRIES: LedgerFilter = { kinds: null, keyId: null, batchId: null, from: null, until: null };

/** Numbers of entries, both of them in. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

/**
 * By how much an entry may be older than the one before it: each has the time at which its process began to write it, and clocks of
 * processes differ.
 */
const MAX_SKEW_MS = HOUR_MS;

@Injectable()
export class LedgerStore {
  constructor(private readonly reads: ReadDatabase) {}

  /**
   * The numbers between which all entries of a time lie. They follow one another in time, so halving finds them by the primary key,
   * and any filter reads an index in the order of pages: no time costs an index of its own on a table that every charge writes.
   */
  async rangeOf({ accountId }: Owner, { from, until }: LedgerFilter): Promise<NumberRange> {
    const [first, last] = await Promise.all([
      from === null ? 1 : this.numberAt(accountId, new Date(from.getTime() - MAX_SKEW_MS)),
      until === null
        ? Number.MAX_SAFE_INTEGER
        : this.numberAt(accountId, new Date(until.getTime() + MAX_SKEW_MS)).then((number) => number - 1),
    ]);
    return { first, last };
  }

  /**
   * The entries of an owner, the newest first. The whole ledger is the live mode's: work in test mode is never charged, so its
   * ledger is empty.
   */
  async list(
    { accountId, simulated }: Owner,
    { kinds, keyId, batchId, from, until }: LedgerFilter,
    { first, last }: NumberRange,
    limit: number,
  ): Promise<LedgerEntry[]> {
    if (simulated) return [];
    const wanted = {
      where: {
        accountId,
        number: Between(first, last),
        ...(kinds !== null && { kind: In(kinds) }),
        ...(keyId !== null && { keyId }),
        ...(batchId !== null && { batchId }),
        ...((from !== null || until !== null) && { createdAt: within(from, until) }),
      },
      order: { number: 'DESC' as const },
      take: limit,
    };
    return this.reads.read((tx) => tx.find(LedgerEntry, wanted));
  }

  /** The number of the first entry that is not older; the next one's where all are. */
  private async numberAt(accountId: string, time: Date): Promise<number> {
    const [found] = await this.reads.query<{ number: number }[]>(
      `WITH RECURSIVE halves AS (
         SELECT 1::bigint AS least, entries + 1 AS most FROM credit_balances WHERE account_id = $1
         UNION ALL
         SELECT CASE WHEN e.created_at < $2 THEN e.number + 1 ELSE h.least END,
                CASE WHEN e.created_at < $2 THEN h.most ELSE e.number END
           FROM halves h JOIN credit_ledger e ON e.account_id = $1 AND e.number = (h.least + h.most) / 2
          WHERE h.least < h.most
       )
       SELECT least AS number FROM halves WHERE least = most`,
      [accountId, time],
    );
    return found?.number ?? 1;
  }
}

function within(from: Date | null, until: Date | null): FindOperator<Date> {
  if (from === null) return LessThan(until!);
  return until === null ? MoreThanOrEqual(from) : And(MoreThanOrEqual(from), LessThan(until));
}
