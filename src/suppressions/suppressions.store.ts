import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../keys/owner.js';
import type { PageRequest } from '../platform/http/page.js';

/** Whose list: an owner's, or the one that holds for everybody. */
export interface ListOwner extends Pick<Owner, 'simulated'> {
  /** Null: everybody's. */
  readonly accountId: string | null;
}

export interface Suppression {
  readonly hash: Buffer;
  readonly reason: string | null;
  readonly createdAt: Date;
}

const COLUMNS = 'address_hash AS hash, reason, created_at AS "createdAt"';
const OWNED = 'account_id IS NOT DISTINCT FROM $1::uuid AND simulated = $2';

@Injectable()
export class SuppressionsStore {
  constructor(private readonly database: DataSource) {}

  /** @returns how many of them are new */
  async insert(tx: EntityManager, { accountId, simulated }: ListOwner, all: readonly Suppression[]): Promise<number> {
    const rows: unknown[] = await tx.query(
      `INSERT INTO suppressions (account_id, simulated, address_hash, reason, created_at)
       SELECT $1, $2, hash, reason, created_at FROM unnest($3::bytea[], $4::text[], $5::timestamptz[])
         AS given (hash, reason, created_at)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [
        accountId,
        simulated,
        all.map(({ hash }) => hash),
        all.map(({ reason }) => reason),
        all.map(({ createdAt }) => createdAt),
      ],
    );
    return rows.length;
  }

  find(tx: EntityManager, { accountId, simulated }: ListOwner, hashes: readonly Buffer[]): Promise<Suppression[]> {
    return tx.query(`SELECT ${COLUMNS} FROM suppressions WHERE ${OWNED} AND address_hash = ANY ($3)`, [
      accountId,
      simulated,
      hashes,
    ]);
  }

  /** Newest first; one more than the page holds, when there are more. */
  list({ accountId, simulated }: ListOwner, { limit, after }: PageRequest): Promise<Suppression[]> {
    return this.database.query(
      `SELECT ${COLUMNS} FROM suppressions
        WHERE ${OWNED} AND ($3::timestamptz IS NULL OR (created_at, encode(address_hash, 'hex')) < ($3, $4::text))
        ORDER BY created_at DESC, address_hash DESC LIMIT $5`,
      [accountId, simulated, after?.at, after?.id, limit + 1],
    );
  }

  async delete(tx: EntityManager, { accountId, simulated }: ListOwner, hash: Buffer): Promise<boolean> {
    const [, deleted]: [unknown, number] = await tx.query(
      `DELETE FROM suppressions WHERE ${OWNED} AND address_hash = $3`,
      [accountId, simulated, hash],
    );
    return deleted > 0;
  }

  /** Those that hold for the account: its own, and everybody's. */
  async among({ accountId, simulated }: ListOwner, hashes: readonly Buffer[]): Promise<Buffer[]> {
    const rows: { hash: Buffer }[] = await this.database.query(
      `SELECT address_hash AS hash FROM suppressions
        WHERE address_hash = ANY ($3) AND (account_id IS NULL OR (account_id = $1 AND simulated = $2))`,
      [accountId, simulated, hashes],
    );
    return rows.map(({ hash }) => hash);
  }

  async reportsInVerify({ accountId, simulated }: Owner): Promise<boolean> {
    const rows: { reports: boolean }[] = await this.database.query(
      'SELECT report_in_verify AS reports FROM suppression_settings WHERE account_id = $1 AND simulated = $2',
      [accountId, simulated],
    );
    return rows[0]?.reports ?? false;
  }

  async setReportsInVerify(tx: EntityManager, { accountId, simulated }: Owner, reports: boolean): Promise<void> {
    await tx.query(
      `INSERT INTO suppression_settings (account_id, simulated, report_in_verify) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, simulated) DO UPDATE SET report_in_verify = excluded.report_in_verify`,
      [accountId, simulated, reports],
    );
  }
}
