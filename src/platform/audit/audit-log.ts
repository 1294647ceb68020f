import type { EntityManager } from 'typeorm';

export interface AuditEntry {
  readonly id: number;
  readonly at: Date;
  /** The key that acted; null for the command line. */
  readonly actorId: string | null;
  readonly actor: string;
  /** Client address, or the machine of the command line. */
  readonly origin: string;
  /** Such as `account.suspend`. */
  readonly act: string;
  readonly accountId: string | null;
  /** Mode of the account's key that acted; null when an administrator did. */
  readonly simulated: boolean | null;
  readonly keyId: string | null;
  /** What was changed, by name; never a token, and no address that was verified. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Writes an entry in the transaction of the act: both happen or neither does. A key is named as it is called now. */
export async function addToAuditLog(tx: EntityManager, entry: Omit<AuditEntry, 'id'>): Promise<void> {
  await tx.query(
    `INSERT INTO audit_log (at, actor_id, actor, origin, act, account_id, simulated, key_id, details)
     VALUES ($1, $2, coalesce((SELECT name FROM api_keys WHERE id = $2::uuid), $3), $4, $5, $6, $7, $8, $9)`,
    [
      entry.at,
      entry.actorId,
      entry.actor,
      entry.origin,
      entry.act,
      entry.accountId,
      entry.simulated,
      entry.keyId,
      JSON.stringify(entry.details),
    ],
  );
}
