import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Listing, type Page, type PageQuery, type PageRequest } from '../http/page.js';
import type { AuditEntry } from './audit-log.js';

export interface WantedEntries {
  /** Null: of all accounts, and those that concern none. */
  readonly accountId: string | null;
  /** Only what keys of this mode did themselves; null: everything. */
  readonly simulated: boolean | null;
}

const ENTRIES = new Listing('audit', 'integer');

/** Reads the audit log. */
@Injectable()
export class AuditLogService {
  constructor(private readonly database: DataSource) {}

  /** Newest first. */
  list({ accountId, simulated }: WantedEntries, query: PageQuery): Promise<Page<AuditEntry>> {
    const find = ({ after, limit }: PageRequest): Promise<AuditEntry[]> =>
      this.database.query(
        `SELECT id, at, actor_id AS "actorId", actor, origin, act, account_id AS "accountId", simulated, key_id AS "keyId", details
         FROM audit_log
        WHERE ($1::uuid IS NULL OR account_id = $1) AND ($2::boolean IS NULL OR simulated = $2)
          AND ($3::bigint IS NULL OR id < $3)
        ORDER BY id DESC LIMIT $4`,
        [accountId, simulated, after?.id, limit + 1],
      );
    return ENTRIES.page(query, find, ({ at, id }) => ({ at, id: String(id) }));
  }
}
