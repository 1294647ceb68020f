import { Injectable } from '@nestjs/common';
import { Listing } from '../http/listing.js';
import type { Page, PageQuery } from '../http/page.js';
import type { AuditEntry } from './audit-log.js';
import { AuditLogStore, type WantedEntries } from './audit-log.store.js';

const ENTRIES = new Listing('audit', 'integer');

/** Serves pages of the audit log. */
@Injectable()
export class AuditLogService {
  constructor(private readonly entries: AuditLogStore) {}

  /** Newest first. */
  list(wanted: WantedEntries, query: PageQuery): Promise<Page<AuditEntry>> {
    return ENTRIES.page(
      query,
      ({ after, limit }) => this.entries.list(wanted, after && Number(after.id), limit + 1),
      ({ at, id }) => ({ at, id: String(id) }),
    );
  }
}
