import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { PageRequest } from '../platform/http/page.js';
import type { KeyKind } from './principal.js';

/** A key as it is told of: everything but the token, which nobody has. */
export interface KeyRecord {
  readonly id: string;
  /** Null for admin keys. */
  readonly accountId: string | null;
  readonly kind: KeyKind;
  readonly name: string | null;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** May lie ahead: a rotated key in its grace. */
  readonly revokedAt: Date | null;
}

export interface NewKeyRow extends Pick<
  KeyRecord,
  'accountId' | 'kind' | 'name' | 'lastFour' | 'createdAt' | 'expiresAt'
> {
  readonly tokenHash: Buffer;
}

const COLUMNS = `id, account_id AS "accountId", kind, name, last_four AS "lastFour", created_at AS "createdAt",
  expires_at AS "expiresAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`;

/** Keys by their owner: an account, or null for the keys of administrators. */
@Injectable()
export class AccountKeyStore {
  constructor(private readonly database: DataSource) {}

  /** Of those kinds, newest first; one more than the page holds, when there are more. */
  async list(accountId: string | null, kinds: readonly KeyKind[], { limit, after }: PageRequest): Promise<KeyRecord[]> {
    return this.database.query(
      `SELECT ${COLUMNS} FROM api_keys
        WHERE ${accountId === null ? 'account_id IS NULL AND $1::uuid IS NULL' : 'account_id = $1'}
          AND kind = ANY ($2) AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
        ORDER BY created_at DESC, id DESC LIMIT $5`,
      [accountId, kinds, after?.at, after?.id, limit + 1],
    );
  }

  async insert(tx: EntityManager, key: NewKeyRow): Promise<KeyRecord> {
    const rows: KeyRecord[] = await tx.query(
      `INSERT INTO api_keys (account_id, kind, token_hash, last_four, name, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
      [key.accountId, key.kind, key.tokenHash, key.lastFour, key.name, key.createdAt, key.expiresAt],
    );
    return rows[0]!;
  }

  /** Until the transaction ends nobody else changes the key. */
  async lock(tx: EntityManager, id: string): Promise<KeyRecord | null> {
    const rows: KeyRecord[] = await tx.query(`SELECT ${COLUMNS} FROM api_keys WHERE id = $1 FOR NO KEY UPDATE`, [id]);
    return rows[0] ?? null;
  }

  /** Keys that are neither revoked nor rotated nor expired. */
  async countLasting(tx: EntityManager, accountId: string, kinds: readonly KeyKind[], now: Date): Promise<number> {
    const [row]: { count: number }[] = await tx.query(
      `SELECT count(*) FROM api_keys
        WHERE account_id = $1 AND kind = ANY ($2) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)`,
      [accountId, kinds, now],
    );
    return row!.count;
  }

  /** Revoked from `at` on, which may lie ahead, unless that is so earlier already. Answers with the token's hash. */
  async revoke(tx: EntityManager, id: string, at: Date): Promise<Buffer> {
    const [rows]: [{ hash: Buffer }[], number] = await tx.query(
      'UPDATE api_keys SET revoked_at = least(revoked_at, $2) WHERE id = $1 RETURNING token_hash AS hash',
      [id, at],
    );
    return rows[0]!.hash;
  }

  async findHashes(tx: EntityManager, accountId: string): Promise<Buffer[]> {
    const rows: { hash: Buffer }[] = await tx.query('SELECT token_hash AS hash FROM api_keys WHERE account_id = $1', [
      accountId,
    ]);
    return rows.map(({ hash }) => hash);
  }
}
