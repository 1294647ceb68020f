import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { PageRequest } from '../platform/http/page.js';

export interface AuditEntry {
  readonly id: number;
  readonly at: Date;
  /** The admin key; null for the command line. */
  readonly actorId: string | null;
  readonly actor: string;
  readonly origin: string;
  /** Such as `account.suspend`. */
  readonly act: string;
  readonly accountId: string | null;
  readonly keyId: string | null;
  /** What was changed, by name; never a token. */
  readonly details: Readonly<Record<string, unknown>>;
}

@Injectable()
export class AuditStore {
  constructor(private readonly database: DataSource) {}

  async insert(tx: EntityManager, entry: Omit<AuditEntry, 'id'>): Promise<void> {
    await tx.query(
      `INSERT INTO audit_log (at, actor_id, actor, origin, act, account_id, key_id, details)
       VALUES ($1, $2, coalesce((SELECT name FROM api_keys WHERE id = $2::uuid), $3), $4, $5, $6, $7, $8)`,
      [
        entry.at,
        entry.actorId,
        entry.actor,
        entry.origin,
        entry.act,
        entry.accountId,
        entry.keyId,
        JSON.stringify(entry.details),
      ],
    );
  }

  /** Newest first; one more than the page holds, when there are more. */
  async list(accountId: string | null, { limit, after }: PageRequest): Promise<AuditEntry[]> {
    return this.database.query(
      `SELECT id, at, actor_id AS "actorId", actor, origin, act, account_id AS "accountId", key_id AS "keyId", details
         FROM audit_log
        WHERE ($1::uuid IS NULL OR account_id = $1) AND ($2::bigint IS NULL OR id < $2)
        ORDER BY id DESC LIMIT $3`,
      [accountId, after?.id, limit + 1],
    );
  }
}
