import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Owner } from '../keys/owner.js';

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

  /**
   * The whole ledger is the live mode's: what is done in the test mode is never charged, so its ledger is empty.
   * @param before entries with smaller numbers only; null: from the newest on
   */
  list({ accountId, simulated }: Owner, before: number | null, limit: number): Promise<LedgerEntry[]> {
    return this.database.query(
      `SELECT number, created_at AS "createdAt", kind, amount, balance_after AS "balanceAfter", purpose, key_id AS "keyId"
         FROM credit_ledger WHERE account_id = $1 AND NOT $2 AND ($3::bigint IS NULL OR number < $3)
        ORDER BY number DESC LIMIT $4`,
      [accountId, simulated, before, limit],
    );
  }
}
