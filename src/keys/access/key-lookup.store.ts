import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { MicroBatcher } from '../../lib/micro-batcher.js';
import { definePrepared } from '../../platform/database/prepared.js';
import type { HeldPermissions, KeyKind } from '../scope/key-scope.js';

export interface KeyRow {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly accountId: string | null;
  readonly kind: KeyKind;
  readonly expiresAt: Date | null;
  /** May lie ahead: a rotated key in its grace. */
  readonly revokedAt: Date | null;
  readonly permissions: HeldPermissions;
  readonly networks: readonly string[] | null;
  /** The account's row of `config/key-policies.json`; null for admin keys. */
  readonly policy: string | null;
  /** When the account was suspended, or the one that has claimed it. */
  readonly suspendedAt: Date | null;
  readonly ceilingId: string | null;
  /** The full account that has claimed the agent, and its plan. */
  readonly claimedBy: string | null;
  readonly claimerPolicy: string | null;
}

const SELECT = `
  SELECT k.id, k.account_id AS "accountId", k.kind, k.expires_at AS "expiresAt",
         k.revoked_at AS "revokedAt", k.permissions, k.networks, a.policy,
         coalesce(a.suspended_at, c.suspended_at) AS "suspendedAt", k.token_hash AS "tokenHash",
         k.ceiling_id AS "ceilingId", c.id AS "claimedBy", c.policy AS "claimerPolicy"
    FROM api_keys k LEFT JOIN accounts a ON a.id = k.account_id LEFT JOIN accounts c ON c.id = a.claimed_by`;

const findByHash = definePrepared<KeyRow>('find a key', `${SELECT} WHERE k.token_hash = $1`);
const findAll = definePrepared<KeyRow>('find keys', `${SELECT} WHERE k.token_hash = ANY ($1::bytea[])`);

/** The key itself, or the last of those that rotation put in its place. */
const SELECT_NEWEST = `
  WITH RECURSIVE line AS (
    SELECT id, successor_id FROM api_keys WHERE id = $1
     UNION
    SELECT next.id, next.successor_id FROM line JOIN api_keys next ON next.id = line.successor_id
  ) ${SELECT} JOIN line ON line.id = k.id WHERE line.successor_id IS NULL`;

/** Keys that one statement looks for. */
const MAX_LOOK_UPS = 500;

/** Reads the keys of callers, on the hot path of every request, and writes when keys were used last. */
@Injectable()
export class KeyLookupStore {
  private readonly lookUps = new MicroBatcher((hashes: readonly Buffer[]) => this.findAll(hashes), MAX_LOOK_UPS);

  constructor(private readonly database: DataSource) {}

  async findByHash(tokenHash: Buffer): Promise<KeyRow | null> {
    const [row] = await findByHash(this.database.manager, tokenHash);
    return row ?? null;
  }

  /** In the transaction of whoever acts for the key without its token. */
  async findById(tx: EntityManager, id: string): Promise<KeyRow | null> {
    const rows: KeyRow[] = await tx.query(`${SELECT} WHERE k.id = $1`, [id]);
    return rows[0] ?? null;
  }

  /** The newest key in the place of this one, which may have ended, too. */
  async findNewest(tx: EntityManager, id: string): Promise<KeyRow | null> {
    const rows: KeyRow[] = await tx.query(SELECT_NEWEST, [id]);
    return rows[0] ?? null;
  }

  /** Finds a key by a statement that many look-ups share: however many callers ask, PostgreSQL works on one at a time. */
  findBatched(tokenHash: Buffer): Promise<KeyRow | null> {
    return this.lookUps.add(tokenHash);
  }

  /** @returns for each hash its key, or null */
  async findAll(tokenHashes: readonly Buffer[]): Promise<(KeyRow | null)[]> {
    const rows = await findAll(this.database.manager, tokenHashes);
    const known = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]));
    return tokenHashes.map((tokenHash) => known.get(tokenHash.toString('hex')) ?? null);
  }

  /** A key that somebody changes at the moment is left out, so that nobody waits for anybody; its next use is written. */
  async recordUses(lastUses: ReadonlyMap<string, number>): Promise<void> {
    await this.database.query(
      `WITH used AS (
         SELECT k.id, u.at FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, at) JOIN api_keys k USING (id)
          WHERE k.last_used_at IS NULL OR k.last_used_at < u.at
            FOR NO KEY UPDATE OF k SKIP LOCKED
       )
       UPDATE api_keys k SET last_used_at = used.at FROM used WHERE used.id = k.id`,
      [[...lastUses.keys()], [...lastUses.values()].map((at) => new Date(at))],
    );
  }
}

/** Why a key works no more; null: it works. */
export function endOf(
  { revokedAt, expiresAt }: Pick<KeyRow, 'revokedAt' | 'expiresAt'>,
  now: number,
): 'key_revoked' | 'key_expired' | null {
  if (revokedAt !== null && revokedAt.getTime() <= now) return 'key_revoked';
  return expiresAt !== null && expiresAt.getTime() <= now ? 'key_expired' : null;
}
