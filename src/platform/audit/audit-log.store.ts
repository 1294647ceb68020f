import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { ReadDatabase } from '../database/read-database.js';
import { AuditEntry } from './audit-entry.entity.js';

export interface WantedEntries {
  /** Null: entries of all accounts, and of none. */
  readonly accountId: string | null;
  /** Only acts of keys of this mode; null: all entries. */
  readonly simulated: boolean | null;
}

/** Reads the audit log. */
@Injectable()
export class AuditLogStore {
  constructor(private readonly reads: ReadDatabase) {}

  /**
   * Newest first.
   * @param before entries with smaller ids only; null: from the newest on
   */
  list({ accountId, simulated }: WantedEntries, before: number | null, limit: number): Promise<AuditEntry[]> {
    const wanted = {
      where: {
        ...(accountId !== null && { accountId }),
        ...(simulated !== null && { simulated }),
        ...(before !== null && { id: LessThan(before) }),
      },
      order: { id: 'DESC' as const },
      take: limit,
    };
    return this.reads.read((tx) => tx.find(AuditEntry, wanted));
  }
}
