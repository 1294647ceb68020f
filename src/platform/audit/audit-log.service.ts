import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { ReadDatabase } from '../database/read-database.js';
import { Listing } from '../http/listing.js';
import type { Page, PageQuery } from '../http/page.js';
import { AuditEntry } from './audit-entry.entity.js';

const ENTRIES = new Listing('audit', 'integer');

interface EntryFilter {
  /** Null: entries of all accounts, and of none. */
  readonly accountId: string | null;
  /** Only acts of keys of this mode; null: all entries. */
  readonly simulated: boolean | null;
}

/** Serves pages of the audit log. */
@Injectable()
export class AuditLogService {
  constructor(private readonly reads: ReadDatabase) {}

  /** Newest first. */
  list({ accountId, simulated }: EntryFilter, query: PageQuery): Promise<Page<AuditEntry>> {
    return ENTRIES.page(
      query,
      ({ after, limit }) => {
        const wanted = {
          where: {
            ...(accountId !== null && { accountId }),
            ...(simulated !== null && { simulated }),
            ...(after !== null && { id: LessThan(Number(after.id)) }),
          },
          order: { id: 'DESC' as const },
          take: limit + 1,
        };
        return this.reads.read((tx) => tx.find(AuditEntry, wanted));
      },
      ({ at, id }) => ({ at, id: String(id) }),
    );
  }
}
