import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, IsNull, MoreThan } from 'typeorm';
import { newestFirst } from '../platform/database/newest-first.js';
import type { PageRequest } from '../platform/http/page.js';
import type { KeyKind } from './access/principal.js';
import { Key } from './key.entity.js';

/** The account and the agents that it has claimed. */
const WITH_CLAIMED = 'SELECT id FROM accounts WHERE id = :accountId OR claimed_by = :accountId';

/** A key as others see it: everything but the hash of its token. */
export type KeyRecord = Omit<Key, 'tokenHash'>;

export type NewKey = Omit<Key, 'id' | 'lastUsedAt' | 'revokedAt'>;

/** Reads and writes keys for their management; `KeyLookupStore` reads the keys of callers. */
@Injectable()
export class KeyStore {
  constructor(private readonly database: DataSource) {}

  /**
   * Keys of these kinds, newest first.
   * @param accountId null for the keys of administrators
   * @returns one more than the page holds, when there are more
   */
  list(accountId: string | null, kinds: readonly KeyKind[], request: PageRequest): Promise<KeyRecord[]> {
    const query = this.database.getRepository(Key).createQueryBuilder('key');
    if (accountId === null) query.where('key.accountId IS NULL');
    else query.where(`key.accountId IN (${WITH_CLAIMED})`, { accountId });
    return newestFirst(query.andWhere('key.kind IN (:...kinds)', { kinds }), request);
  }

  async insert(tx: EntityManager, key: NewKey): Promise<KeyRecord> {
    const { identifiers } = await tx.insert(Key, key);
    const { tokenHash: _, ...given } = key;
    return { ...given, id: identifiers[0]!['id'] as string, lastUsedAt: null, revokedAt: null };
  }

  /** Locks the key: until the transaction ends no other one changes it. */
  lock(tx: EntityManager, id: string): Promise<KeyRecord | null> {
    return tx.findOne(Key, { where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  find(id: string, tx: EntityManager = this.database.manager): Promise<KeyRecord | null> {
    return tx.findOneBy(Key, { id });
  }

  findByHash(tokenHash: Buffer): Promise<KeyRecord | null> {
    return this.database.manager.findOneBy(Key, { tokenHash });
  }

  /** Newest first. @param limit most keys */
  findByLastFour(lastFour: string, limit: number): Promise<KeyRecord[]> {
    return this.database.manager.find(Key, {
      where: { lastFour },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
    });
  }

  /** @returns the hash of its token */
  async change(tx: EntityManager, { id, name, permissions, networks }: KeyRecord): Promise<Buffer> {
    await tx.update(Key, { id }, { name, permissions, networks });
    const { tokenHash } = await tx.findOneOrFail(Key, { select: { tokenHash: true }, where: { id } });
    return tokenHash;
  }

  /** Counts keys that are neither revoked nor rotated nor expired. */
  countLasting(tx: EntityManager, accountId: string, kinds: readonly KeyKind[], now: Date): Promise<number> {
    return tx.countBy(Key, [
      { accountId, kind: In(kinds), revokedAt: IsNull(), expiresAt: IsNull() },
      { accountId, kind: In(kinds), revokedAt: IsNull(), expiresAt: MoreThan(now) },
    ]);
  }

  /**
   * Revokes a key from `at` on, which may lie ahead, unless it is revoked earlier already.
   * @returns the hash of its token
   */
  async revoke(tx: EntityManager, id: string, at: Date): Promise<Buffer> {
    const { raw } = await tx
      .createQueryBuilder()
      .update(Key)
      .set({ revokedAt: () => 'least(revoked_at, :at)' })
      .where({ id })
      .setParameters({ at })
      .returning('token_hash AS hash')
      .execute();
    return (raw as { hash: Buffer }[])[0]!.hash;
  }

  /** Those of the agents that the account has claimed too: what holds for the account holds for them. */
  async findHashes(tx: EntityManager, accountId: string): Promise<Buffer[]> {
    const query = tx.createQueryBuilder(Key, 'key').select(['key.id', 'key.tokenHash']);
    const keys = await query.where(`key.accountId IN (${WITH_CLAIMED})`, { accountId }).getMany();
    return keys.map(({ tokenHash }) => tokenHash);
  }
}
