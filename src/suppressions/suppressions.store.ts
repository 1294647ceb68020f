import { Injectable } from '@nestjs/common';
import { Any, DataSource, type EntityManager, type FindOptionsWhere, In, IsNull } from 'typeorm';
import type { Owner } from '../keys/access/owner.js';
import type { ErasedAddress } from '../platform/erased-address.js';
import { definePrepared } from '../platform/database/prepared.js';
import { newestFirst } from '../platform/database/newest-first.js';
import type { PageRequest } from '../platform/http/page.js';
import { Suppression, SuppressionSettings } from './suppression.entity.js';

/** Reasons that are looked through together. */
const REASON_PAGE_SIZE = 1_000;

/** Whose list: an owner's, or the one that holds for everybody. */
export interface ListOwner extends Pick<Owner, 'simulated'> {
  /** Null: everybody's. */
  readonly accountId: string | null;
}

export type { Suppression };

type NewSuppression = Pick<Suppression, 'hash' | 'reason' | 'createdAt'>;

const reportInVerify = definePrepared<{ reports: boolean }>(
  'whether accounts report suppressions',
  `SELECT coalesce(report_in_verify, false) AS reports
     FROM unnest($1::uuid[], $2::boolean[]) WITH ORDINALITY AS asked (account_id, simulated, place)
     LEFT JOIN suppression_settings USING (account_id, simulated) ORDER BY place`,
);

@Injectable()
export class SuppressionsStore {
  constructor(private readonly database: DataSource) {}

  /** @returns how many of them are new */
  async insert(
    tx: EntityManager,
    { accountId, simulated }: ListOwner,
    all: readonly NewSuppression[],
  ): Promise<number> {
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

  find(tx: EntityManager, owner: ListOwner, hashes: readonly Buffer[]): Promise<Suppression[]> {
    return tx.findBy(Suppression, { ...ownedBy(owner), hash: Any(hashes) });
  }

  /** Newest first; one more than the page holds, when there are more. */
  list(owner: ListOwner, request: PageRequest): Promise<Suppression[]> {
    const query = this.database.getRepository(Suppression).createQueryBuilder('suppression');
    return newestFirst(query.where(ownedBy(owner)), request);
  }

  async delete(tx: EntityManager, owner: ListOwner, hash: Buffer): Promise<boolean> {
    const { affected } = await tx.delete(Suppression, { ...ownedBy(owner), hash });
    return affected! > 0;
  }

  /** Takes the reasons away in which an address stands. */
  async forgetReasons(tx: EntityManager, { accountId, simulated }: Owner, address: ErasedAddress): Promise<void> {
    let page: { id: string; reason: string }[];
    let after = null as string | null;
    do {
      page = await tx.query(
        `SELECT id, reason FROM suppressions
          WHERE account_id = $1 AND simulated = $2 AND lower(reason) LIKE ANY ($3::text[]) AND ($4::uuid IS NULL OR id > $4)
          ORDER BY id LIMIT ${REASON_PAGE_SIZE}`,
        [accountId, simulated, address.patterns, after],
      );
      const ids = page.filter(({ reason }) => address.isIn(reason)).map(({ id }) => id);
      if (ids.length > 0) await tx.update(Suppression, { id: In(ids) }, { reason: null });
      after = page.at(-1)?.id ?? after;
    } while (page.length === REASON_PAGE_SIZE);
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

  /** @returns for each owner whether its verifications say that an address is suppressed */
  async reportInVerify(owners: readonly Owner[]): Promise<boolean[]> {
    const rows = await reportInVerify(
      this.database.manager,
      owners.map(({ accountId }) => accountId),
      owners.map(({ simulated }) => simulated),
    );
    return rows.map(({ reports }) => reports);
  }

  async setReportsInVerify(tx: EntityManager, { accountId, simulated }: Owner, reports: boolean): Promise<void> {
    const settings = { accountId, simulated, reportInVerify: reports };
    await tx.upsert(SuppressionSettings, settings, ['accountId', 'simulated']);
  }
}

function ownedBy({ accountId, simulated }: ListOwner): FindOptionsWhere<Suppression> {
  return { accountId: accountId ?? IsNull(), simulated };
}
