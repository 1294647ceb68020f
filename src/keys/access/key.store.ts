import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, IsNull, MoreThan } from 'typeorm';
import { newestFirst } from '../../platform/database/newest-first.js';
import type { PageRequest } from '../../platform/http/page.js';
import type { KeyKind } from '../scope/key-scope.js';
import type { KeyCeiling } from '../scope/key-ceiling.entity.js';
import { KeyCeilingStore } from './key-ceiling.store.js';
import { Key } from './key.entity.js';

/** The account and the agents that it has claimed. */
const WITH_CLAIMED = 'SELECT id FROM accounts WHERE id = :accountId OR claimed_by = :accountId';

/**
 * The ids of a key, of those before it by rotation, and of all that came from any of these: by making, by rotating a key of somebody else,
 * or by being rotated. A key of somebody else that one of them has rotated is not of the branch: its successor is, whose token it got.
 * @param id how the statement names the id that it begins with
 */
const branchOf = (id: string) => `
  WITH RECURSIVE line AS (
    SELECT id, successor_id FROM api_keys WHERE id = ${id}
     UNION
    SELECT before.id, before.successor_id FROM line JOIN api_keys before ON before.successor_id = line.id
  ), branch AS (
    SELECT id, successor_id FROM line
     UNION
    SELECT next.id, next.successor_id
      FROM branch CROSS JOIN LATERAL (
        SELECT made.id, made.successor_id FROM api_keys made WHERE made.maker_id = branch.id
         UNION ALL
        SELECT put.id, put.successor_id FROM api_keys put WHERE put.rotator_id = branch.id
         UNION ALL
        SELECT after.id, after.successor_id FROM api_keys after WHERE after.id = branch.successor_id
      ) next
  ) SELECT id FROM branch`;

/** A key as others see it: everything but the hash of its token, with its ceilings. */
export type KeyRecord = Omit<Key, 'tokenHash'> & { readonly ceiling: KeyCeiling | null };

export type KeyMaker = Pick<Key, 'makerKind' | 'makerId'>;

/** Where a key comes from. */
export type KeyOrigin = KeyMaker & Pick<Key, 'rotatorId'>;

export type NewKey = Omit<Key, 'id' | 'ceilingId' | 'lastUsedAt' | 'revokedAt' | 'successorId'> &
  Pick<KeyRecord, 'ceiling'>;

/** What of a key is changed; what is left out stays. */
export type ChangedColumns = Partial<Pick<Key, 'name' | 'permissions' | 'networks'>> & Pick<Key, 'ceilingId'>;

/** Reads and writes keys for their management; `KeyLookupStore` reads the keys of callers. */
@Injectable()
export class KeyStore {
  constructor(
    private readonly database: DataSource,
    private readonly ceilings: KeyCeilingStore,
  ) {}

  /**
   * Keys of these kinds, newest first.
   * @param accountId null for the keys of administrators
   * @returns one more than the page holds, when there are more
   */
  async list(accountId: string | null, kinds: readonly KeyKind[], request: PageRequest): Promise<KeyRecord[]> {
    const query = this.database.getRepository(Key).createQueryBuilder('key');
    if (accountId === null) query.where('key.accountId IS NULL');
    else query.where(`key.accountId IN (${WITH_CLAIMED})`, { accountId });
    return this.withCeilings(await newestFirst(query.andWhere('key.kind IN (:...kinds)', { kinds }), request));
  }

  async insert(tx: EntityManager, key: NewKey): Promise<KeyRecord> {
    const { ceiling, ...row } = key;
    const ceilingId = ceiling?.id ?? null;
    const { identifiers } = await tx.insert(Key, { ...row, ceilingId });
    const { tokenHash: _, ...given } = row;
    const id = identifiers[0]!['id'] as string;
    return { ...given, ceiling, ceilingId, id, lastUsedAt: null, revokedAt: null, successorId: null };
  }

  /** Locks the key: until the transaction ends no other one changes it. */
  async lock(tx: EntityManager, id: string): Promise<KeyRecord | null> {
    return this.withCeiling(await tx.findOne(Key, { where: { id }, lock: { mode: 'for_no_key_update' } }), tx);
  }

  /** Admin keys have no account whose row could be locked. */
  async lockAdminKeys(tx: EntityManager): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('admin keys', 0))`);
  }

  async find(id: string, tx: EntityManager = this.database.manager): Promise<KeyRecord | null> {
    return this.withCeiling(await tx.findOneBy(Key, { id }), tx);
  }

  async findByHash(tokenHash: Buffer): Promise<KeyRecord | null> {
    return this.withCeiling(await this.database.manager.findOneBy(Key, { tokenHash }));
  }

  /** The key of the agent that was given the token of a claim, also once that has run out. */
  async findByClaimHash(claimTokenHash: Buffer): Promise<KeyRecord | null> {
    const key = await this.database.manager
      .createQueryBuilder(Key, 'key')
      .where(
        `key.kind = 'agent' AND key.account_id = (SELECT account_id FROM agent_registrations WHERE claim_token_hash = :hash)`,
        { hash: claimTokenHash },
      )
      .getOne();
    return this.withCeiling(key);
  }

  /** Newest first. @param limit most keys */
  async findByLastFour(lastFour: string, limit: number): Promise<KeyRecord[]> {
    const keys = await this.database.manager.find(Key, {
      where: { lastFour },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
    });
    return this.withCeilings(keys);
  }

  /** @returns the key as it now stands there, and the hash of its token */
  async change(tx: EntityManager, id: string, changed: ChangedColumns): Promise<[KeyRecord, Buffer]> {
    await tx.update(Key, { id }, changed);
    const query = tx.createQueryBuilder(Key, 'key').addSelect('key.tokenHash').where({ id });
    const { tokenHash, ...key } = await query.getOneOrFail();
    const [record] = await this.withCeilings([key], tx);
    return [record!, tokenHash];
  }

  /**
   * Has the keys in whose place rotation has put this one, one after the other, share its ceilings: in their grace they still spend.
   * @returns the hashes of their tokens
   */
  async shareCeiling(tx: EntityManager, { id, accountId }: KeyRecord, ceilingId: string): Promise<Buffer[]> {
    const [rows]: [{ hash: Buffer }[], number] = await tx.query(
      `WITH RECURSIVE line AS (
         SELECT $1::uuid AS id
          UNION
         SELECT before.id FROM line JOIN api_keys before ON before.successor_id = line.id AND before.account_id = $2
       )
       UPDATE api_keys SET ceiling_id = $3 WHERE id IN (SELECT id FROM line) AND id <> $1 RETURNING token_hash AS hash`,
      [id, accountId, ceilingId],
    );
    return rows.map(({ hash }) => hash);
  }

  /** Takes its ceilings from every key of the account that shares them. @returns the hashes of their tokens */
  async leaveCeiling(tx: EntityManager, { accountId, ceilingId }: KeyRecord): Promise<Buffer[]> {
    const { raw } = await tx
      .createQueryBuilder()
      .update(Key)
      .set({ ceilingId: null })
      .where({ accountId, ceilingId })
      .returning('token_hash AS hash')
      .execute();
    return (raw as { hash: Buffer }[]).map(({ hash }) => hash);
  }

  /** Counts keys that are neither revoked nor rotated nor expired. */
  countLasting(tx: EntityManager, accountId: string, kinds: readonly KeyKind[], now: Date): Promise<number> {
    return tx.countBy(Key, [
      { accountId, kind: In(kinds), revokedAt: IsNull(), expiresAt: IsNull() },
      { accountId, kind: In(kinds), revokedAt: IsNull(), expiresAt: MoreThan(now) },
    ]);
  }

  /**
   * Locks the branch of a key: the key, those before and after it by rotation, and all that any of these has made or put in the place of
   * another. Accounts are locked first, agents last as where they are claimed: then nobody adds a key.
   * @returns those that work at that time
   */
  async lockBranch(tx: EntityManager, id: string, at: Date): Promise<KeyRecord[]> {
    await tx.query(
      `SELECT 1 FROM accounts WHERE id IN (SELECT account_id FROM api_keys WHERE id IN (${branchOf('$1::uuid')}))
        ORDER BY kind = 'agent', id FOR NO KEY UPDATE`,
      [id],
    );
    const keys = await tx
      .createQueryBuilder(Key, 'key')
      .where(`key.id IN (${branchOf(':id')})`, { id })
      .andWhere('(key.revokedAt IS NULL OR key.revokedAt > :at) AND (key.expiresAt IS NULL OR key.expiresAt > :at)', {
        at,
      })
      .orderBy('key.id')
      .setLock('for_no_key_update')
      .getMany();
    return this.withCeilings(keys, tx);
  }

  /**
   * Revokes keys from `at` on, which may lie ahead, each unless it is revoked earlier already.
   * @returns the hashes of their tokens
   */
  async revoke(tx: EntityManager, ids: readonly string[], at: Date): Promise<Buffer[]> {
    const { raw } = await tx
      .createQueryBuilder()
      .update(Key)
      .set({ revokedAt: () => 'least(revoked_at, :at)' })
      .where({ id: In(ids) })
      .setParameters({ at })
      .returning('token_hash AS hash')
      .execute();
    return (raw as { hash: Buffer }[]).map(({ hash }) => hash);
  }

  /** Remembers which key rotation put in the place of another. */
  async succeed(tx: EntityManager, id: string, successorId: string): Promise<void> {
    await tx.update(Key, { id }, { successorId });
  }

  /** Those of the agents that the account has claimed too: what holds for the account holds for them. */
  async findHashes(tx: EntityManager, accountId: string): Promise<Buffer[]> {
    const query = tx.createQueryBuilder(Key, 'key').select(['key.id', 'key.tokenHash']);
    const keys = await query.where(`key.accountId IN (${WITH_CLAIMED})`, { accountId }).getMany();
    return keys.map(({ tokenHash }) => tokenHash);
  }

  private async withCeiling(key: Key | null, tx?: EntityManager): Promise<KeyRecord | null> {
    return key && (await this.withCeilings([key], tx))[0]!;
  }

  private async withCeilings(keys: readonly Omit<Key, 'tokenHash'>[], tx?: EntityManager): Promise<KeyRecord[]> {
    const ids = [...new Set(keys.flatMap(({ ceilingId }) => ceilingId ?? []))];
    const ceilings = new Map((await this.ceilings.findAll(ids, tx)).map((ceiling) => [ceiling.id, ceiling]));
    return keys.map((key) => ({ ...key, ceiling: ceilings.get(key.ceilingId ?? '') ?? null }));
  }
}
