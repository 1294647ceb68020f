import type { EntityManager } from 'typeorm';
import type { AuditEntry } from './audit-entry.entity.js';

export type { AuditEntry };

/** Writes an entry in the transaction of the act: both happen or neither does. The entry has the key's present name. */
export async function addToAuditLog(tx: EntityManager, entry: Omit<AuditEntry, 'id'>): Promise<void> {
  await tx.query(
    `INSERT INTO audit_log (at, actor_id, actor, origin, action, account_id, simulated, key_id, details)
     VALUES ($1, $2, coalesce((SELECT name FROM api_keys WHERE id = $2::uuid), $3), $4, $5, $6, $7, $8, $9)`,
    [
      entry.at,
      entry.actorId,
      entry.actor,
      entry.origin,
      entry.action,
      entry.accountId,
      entry.simulated,
      entry.keyId,
      JSON.stringify(entry.details),
    ],
  );
}
