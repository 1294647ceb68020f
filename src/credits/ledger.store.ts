import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface LedgerEntry {
  /** Counts the account's entries from 1. */
  readonly number: number;
  readonly createdAt: Date;
  readonly kind: 'grant' | 'reserve' | 'charge' | 'release' | 'adjust';
  /** What the entry changed the balance by. */
  readonly amount: number;
  readonly balanceAfter: number;
  readonly purpose: string;
  readonly keyId: string | null;
}

@Injectable()
export class LedgerStore {
  constructor(private readonly database: DataSource) {}

  /** @param before entries with smaller numbers only; null: from the newest on */
  list(accountId: string, before: number | null, limit: number): Promise<LedgerEntry[]> {
    return this.database.query(
      `SELECT number, created_at AS "createdAt", kind, amount, balance_after AS "balanceAfter", purpose, key_id AS "keyId"
         FROM credit_ledger WHERE account_id = $1 AND ($2::bigint IS NULL OR number < $2)
        ORDER BY number DESC LIMIT $3`,
      [accountId, before, limit],
    );
  }
}
