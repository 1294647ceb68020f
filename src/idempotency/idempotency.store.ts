import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Holders } from '../platform/erased-address.js';

export interface ClaimedKey {
  readonly scopeHash: Buffer;
  /** Null while a streamed body still comes. */
  readonly fingerprint: Buffer | null;
  readonly leaseOwner: string;
  readonly leaseExpiresAt: Date;
  readonly expiresAt: Date;
}

/** A reply to keep. */
export interface SealedReply {
  readonly status: number;
  readonly sealed: Buffer;
  /** Whose addresses are in it; null when none is. */
  readonly addresses: (AddressOwner & { readonly tags: readonly Buffer[] }) | null;
}

export interface AddressOwner {
  readonly accountId: string;
  readonly simulated: boolean;
}

export interface KnownKey {
  readonly fingerprint: Buffer | null;
  /** Null while the first request still runs. */
  readonly status: number | null;
  readonly reply: Buffer | null;
}

@Injectable()
export class IdempotencyStore {
  constructor(private readonly database: DataSource) {}

  /** Takes a key that nobody holds: a new one, an expired one, or one whose lease has ended without a reply. */
  async claim(key: ClaimedKey, now: Date): Promise<boolean> {
    const rows: unknown[] = await this.database.query(
      `INSERT INTO idempotency_keys AS known (scope_hash, fingerprint, lease_owner, lease_expires_at, expires_at)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (scope_hash) DO UPDATE
          SET fingerprint = excluded.fingerprint, lease_owner = excluded.lease_owner, lease_expires_at = excluded.lease_expires_at,
              expires_at = excluded.expires_at, status = NULL, reply = NULL, account_id = NULL, simulated = NULL, address_tags = NULL
        WHERE known.expires_at <= $6 OR (known.status IS NULL AND known.lease_expires_at <= $6)
       RETURNING scope_hash`,
      [key.scopeHash, key.fingerprint, key.leaseOwner, key.leaseExpiresAt, key.expiresAt, now],
    );
    return rows.length > 0;
  }

  async find(scopeHash: Buffer): Promise<KnownKey | null> {
    const rows: KnownKey[] = await this.database.query(
      'SELECT fingerprint, status, reply FROM idempotency_keys WHERE scope_hash = $1',
      [scopeHash],
    );
    return rows[0] ?? null;
  }

  /** False when the lease had ended and another attempt has taken over: then its reply counts. */
  async keep(
    tx: EntityManager,
    { scopeHash, leaseOwner, fingerprint, expiresAt }: ClaimedKey,
    { status, sealed, addresses }: SealedReply,
  ): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(
      `UPDATE idempotency_keys SET status = $3, reply = $4, fingerprint = $5, expires_at = $6,
              account_id = $7, simulated = $8, address_tags = $9
        WHERE scope_hash = $1 AND lease_owner = $2 AND status IS NULL RETURNING scope_hash`,
      [
        scopeHash,
        leaseOwner,
        status,
        sealed,
        fingerprint,
        expiresAt,
        addresses?.accountId ?? null,
        addresses?.simulated ?? null,
        addresses?.tags ?? null,
      ],
    );
    return rows.length > 0;
  }

  /** Frees a key whose work has no reply to keep. */
  async abandon(keys: readonly ClaimedKey[]): Promise<void> {
    await this.database.query(
      `DELETE FROM idempotency_keys AS known
        USING unnest($1::bytea[], $2::uuid[]) AS held (scope_hash, lease_owner)
        WHERE known.scope_hash = held.scope_hash AND known.lease_owner = held.lease_owner AND known.status IS NULL`,
      [keys.map(({ scopeHash }) => scopeHash), keys.map(({ leaseOwner }) => leaseOwner)],
    );
  }

  async renew(keys: readonly ClaimedKey[], leaseExpiresAt: Date): Promise<void> {
    await this.database.query(
      `UPDATE idempotency_keys AS known SET lease_expires_at = $3
         FROM unnest($1::bytea[], $2::uuid[]) AS held (scope_hash, lease_owner)
        WHERE known.scope_hash = held.scope_hash AND known.lease_owner = held.lease_owner AND known.status IS NULL`,
      [keys.map(({ scopeHash }) => scopeHash), keys.map(({ leaseOwner }) => leaseOwner), leaseExpiresAt],
    );
  }

  /**
   * Empties the replies that hold an address: their work stays done, and is not done again.
   * @param tags of the address, one for each account and key
   * @returns how many
   */
  async erase(tx: EntityManager, { accountIds, simulated }: Holders, tags: readonly Buffer[]): Promise<number> {
    const [, erased]: [unknown, number] = await tx.query(
      `UPDATE idempotency_keys SET reply = '', fingerprint = NULL, account_id = NULL, simulated = NULL, address_tags = NULL
        WHERE scope_hash = ANY (ARRAY(
          SELECT scope_hash FROM idempotency_keys
           WHERE account_id = ANY ($1::uuid[]) AND simulated = $2 AND address_tags && $3::bytea[]
           ORDER BY scope_hash FOR UPDATE))`,
      [accountIds, simulated, tags],
    );
    return erased;
  }

  /** @returns how many were deleted */
  async deleteExpired(now: Date, limit: number): Promise<number> {
    const [, deleted]: [unknown, number] = await this.database.query(
      `DELETE FROM idempotency_keys WHERE scope_hash = ANY (ARRAY(
         SELECT scope_hash FROM idempotency_keys WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2
         FOR UPDATE SKIP LOCKED))`,
      [now, limit],
    );
    return deleted;
  }
}
