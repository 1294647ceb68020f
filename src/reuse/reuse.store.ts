import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../keys/access/owner.js';

/** The bucket of rows whose hashes may begin with any byte. */
export const LOOSE = -1;

export interface OwnersKey extends Owner {
  /** Sealed; null: reuse is off. */
  readonly addressKey: Buffer | null;
}

interface CachedRow {
  readonly bucket: number;
  readonly id: number;
  readonly verdicts: Buffer;
}

export interface NewRow {
  readonly owner: Owner;
  readonly bucket: number;
  readonly oldestAt: Date;
  readonly verdicts: Buffer;
}

/** Kept verdicts, and the keys of their hashes. */
@Injectable()
export class ReuseStore {
  constructor(private readonly database: DataSource) {}

  /** Those of these owners who have used reuse or chosen something. */
  keysOf(owners: readonly Owner[]): Promise<OwnersKey[]> {
    return this.database.query(
      `SELECT account_id AS "accountId", simulated, address_key AS "addressKey" FROM verification_settings
         JOIN unnest($1::uuid[], $2::boolean[]) AS wanted (account_id, simulated) USING (account_id, simulated)`,
      [owners.map(({ accountId }) => accountId), owners.map(({ simulated }) => simulated)],
    );
  }

  /** Lets an owner who has never used it, and has not chosen otherwise, use reuse. */
  async begin({ accountId, simulated }: Owner, addressKey: Buffer): Promise<void> {
    await this.database.query(
      'INSERT INTO verification_settings (account_id, simulated, address_key) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [accountId, simulated, addressKey],
    );
  }

  /** Switches reuse off and deletes what is kept, or on. @param addressKey null: off */
  async choose(tx: EntityManager, { accountId, simulated }: Owner, addressKey: Buffer | null): Promise<void> {
    // The row comes first: whoever keeps a verdict locks it, so that nothing is kept after the deletion.
    await tx.query(
      `INSERT INTO verification_settings AS old (account_id, simulated, address_key) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, simulated)
       DO UPDATE SET address_key = CASE WHEN $3::bytea IS NOT NULL THEN coalesce(old.address_key, $3) END`,
      [accountId, simulated, addressKey],
    );
    if (addressKey === null)
      await tx.query('DELETE FROM kept_verdicts WHERE account_id = $1 AND simulated = $2', [accountId, simulated]);
  }

  /** Keeps rows, except for owners who have switched reuse off. */
  async insert(tx: EntityManager, rows: readonly NewRow[]): Promise<void> {
    await tx.query(
      `INSERT INTO kept_verdicts (account_id, simulated, bucket, oldest_at, verdicts)
       SELECT account_id, simulated, bucket, oldest_at, verdicts
         FROM (SELECT account_id, simulated FROM verification_settings
                WHERE (account_id, simulated) IN (SELECT * FROM unnest($1::uuid[], $2::boolean[]))
                  AND address_key IS NOT NULL FOR SHARE) AS owner
         JOIN unnest($1::uuid[], $2::boolean[], $3::smallint[], $4::timestamptz[], $5::bytea[])
           AS row (account_id, simulated, bucket, oldest_at, verdicts) USING (account_id, simulated)`,
      [
        rows.map(({ owner }) => owner.accountId),
        rows.map(({ owner }) => owner.simulated),
        rows.map(({ bucket }) => bucket),
        rows.map(({ oldestAt }) => oldestAt),
        rows.map(({ verdicts }) => verdicts),
      ],
    );
  }

  /** The kept rows of these buckets. */
  async find(tx: EntityManager, { accountId, simulated }: Owner, buckets: readonly number[]): Promise<Buffer[]> {
    const rows: { verdicts: Buffer }[] = await tx.query(
      'SELECT verdicts FROM kept_verdicts WHERE account_id = $1 AND simulated = $2 AND bucket = ANY ($3::smallint[])',
      [accountId, simulated, buckets],
    );
    return rows.map(({ verdicts }) => verdicts);
  }

  /** Owners with many loose rows, or large ones. */
  ownersOfLoose(maxRows: number, maxBytes: number, limit: number): Promise<Owner[]> {
    return this.database.query(
      `SELECT account_id AS "accountId", simulated FROM kept_verdicts WHERE bucket = ${LOOSE} GROUP BY account_id, simulated
       HAVING count(*) >= $1 OR sum(octet_length(verdicts)) >= $2 LIMIT $3`,
      [maxRows, maxBytes, limit],
    );
  }

  /** Keeps an erasure out until the end of the transaction. */
  async share(tx: EntityManager, { accountId, simulated }: Owner): Promise<void> {
    await tx.query('SELECT FROM verification_settings WHERE account_id = $1 AND simulated = $2 FOR SHARE', [
      accountId,
      simulated,
    ]);
  }

  /** The sealed keys of these owners; until the end of the transaction nobody keeps a verdict of theirs. */
  lock(tx: EntityManager, accountIds: readonly string[], simulated: boolean): Promise<OwnersKey[]> {
    return tx.query(
      `SELECT account_id AS "accountId", simulated, address_key AS "addressKey" FROM verification_settings
        WHERE account_id = ANY ($1::uuid[]) AND simulated = $2 ORDER BY account_id FOR UPDATE`,
      [accountIds, simulated],
    );
  }

  /** The kept rows of these buckets with their ids, locked. */
  lockRows(tx: EntityManager, { accountId, simulated }: Owner, buckets: readonly number[]): Promise<CachedRow[]> {
    return tx.query(
      `SELECT bucket, id, verdicts FROM kept_verdicts
        WHERE account_id = $1 AND simulated = $2 AND bucket = ANY ($3::smallint[]) ORDER BY bucket, id FOR UPDATE`,
      [accountId, simulated, buckets],
    );
  }

  /** @param verdicts null: the row goes */
  async replace(tx: EntityManager, { accountId, simulated }: Owner, row: CachedRow, verdicts: Buffer | null) {
    const key = [accountId, simulated, row.bucket, row.id];
    const where = 'WHERE account_id = $1 AND simulated = $2 AND bucket = $3 AND id = $4';
    if (verdicts === null) await tx.query(`DELETE FROM kept_verdicts ${where}`, key);
    else await tx.query(`UPDATE kept_verdicts SET verdicts = $5 ${where}`, [...key, verdicts]);
  }

  /** Takes loose rows out of the table: the caller puts them into buckets in the same transaction. */
  async takeLoose(tx: EntityManager, { accountId, simulated }: Owner, limit: number): Promise<Buffer[]> {
    const [rows]: [{ verdicts: Buffer }[], number] = await tx.query(
      `DELETE FROM kept_verdicts WHERE account_id = $1 AND simulated = $2 AND bucket = ${LOOSE} AND id = ANY (ARRAY(
         SELECT id FROM kept_verdicts WHERE account_id = $1 AND simulated = $2 AND bucket = ${LOOSE}
          ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)) RETURNING verdicts`,
      [accountId, simulated, limit],
    );
    return rows.map(({ verdicts }) => verdicts);
  }

  /** @returns how many rows */
  async deleteOld(before: Date, limit: number): Promise<number> {
    const [, deleted]: [unknown, number] = await this.database.query(
      `WITH old AS MATERIALIZED (
         SELECT account_id, simulated, bucket, id FROM kept_verdicts WHERE oldest_at <= $1
          ORDER BY oldest_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       DELETE FROM kept_verdicts AS kept USING old
        WHERE kept.account_id = old.account_id AND kept.simulated = old.simulated AND kept.bucket = old.bucket AND kept.id = old.id`,
      [before, limit],
    );
    return deleted;
  }
}
