import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Grouping } from '../platform/database/grouping.js';
import type { KeyKind } from './principal.js';

export interface KeyRow {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly accountId: string | null;
  readonly kind: KeyKind;
  readonly expiresAt: Date | null;
  /** Moved on by whoever records a use, so that those who share the row do not record it again. */
  lastUsedAt: Date | null;
  /** May lie ahead: a rotated key in its grace. */
  readonly revokedAt: Date | null;
  /** The account's row of `config/key-policies.json`; null for admin keys. */
  readonly policy: string | null;
  /** When the account was suspended. */
  readonly suspendedAt: Date | null;
}

const SELECT = `
  SELECT k.id, k.account_id AS "accountId", k.kind, k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt",
         k.revoked_at AS "revokedAt", a.policy, a.suspended_at AS "suspendedAt", k.token_hash AS "tokenHash"
    FROM api_keys k LEFT JOIN accounts a ON a.id = k.account_id`;

/** Keys that one statement looks for. */
const MOST_TOGETHER = 500;

@Injectable()
export class KeyStore {
  private readonly together = new Grouping((hashes: readonly Buffer[]) => this.findAll(hashes), MOST_TOGETHER);

  constructor(private readonly database: DataSource) {}

  async findByHash(tokenHash: Buffer): Promise<KeyRow | null> {
    const rows: KeyRow[] = await this.database.query(`${SELECT} WHERE k.token_hash = $1`, [tokenHash]);
    return rows[0] ?? null;
  }

  /** The same; those who ask while a statement runs share the next one, so that however many ask, PostgreSQL has one to do. */
  findTogether(tokenHash: Buffer): Promise<KeyRow | null> {
    return this.together.add(tokenHash);
  }

  private async findAll(tokenHashes: readonly Buffer[]): Promise<(KeyRow | null)[]> {
    const sql = `${SELECT} WHERE k.token_hash = ANY ($1::bytea[])`;
    const rows: KeyRow[] = await this.database.query(sql, [tokenHashes]);
    const known = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]));
    return tokenHashes.map((tokenHash) => known.get(tokenHash.toString('hex')) ?? null);
  }

  /** Writes the use unless one at `staleBefore` or later is written already. */
  async recordUse(keyId: string, usedAt: Date, staleBefore: Date): Promise<void> {
    await this.database.query(
      'UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)',
      [keyId, usedAt, staleBefore],
    );
  }
}
