import { Injectable } from '@nestjs/common';
import { DataSource, LessThan } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import { LedgerEntry } from './ledger-entry.entity.js';

export type { LedgerEntry };

@Injectable()
export class LedgerStore {
  constructor(private readonly database: DataSource) {}

  /**
   * The entries of an owner. The whole ledger is the live mode's: work in test mode is never charged, so its ledger is empty.
   * @param before entries with smaller numbers only; null: from the newest on
   */
  async list({ accountId, simulated }: Owner, before: number | null, limit: number): Promise<LedgerEntry[]> {
    if (simulated) return [];
    return this.database.manager.find(LedgerEntry, {
      where: { accountId, ...(before !== null && { number: LessThan(before) }) },
      order: { number: 'DESC' },
      take: limit,
    });
  }
}
