import {
  Injectable,
  Inject,
  Logger,
  type OnApplicationShutdown,
  Optional,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { type KeyPolicies, policyNamed } from '../../platform/config/policies.js';
import type { Claimer } from './principal.js';
import { DataSource, type EntityManager } from 'typeorm';
import { MicroBatcher } from '../../lib/micro-batcher.js';
import { definePrepared } from '../../platform/database/prepared.js';
import type { HeldPermissions, KeyKind } from '../scope/key-scope.js';
import { ReadMemo } from '../../lib/read-memo.js';
import { SYSTEM_TIMER, CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { listenerBeside, REDIS, type RedisClient } from '../../platform/redis/redis.js';
import { Periodic } from '../../lib/periodic.js';

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
const MAX_LOOKUPS = 500;

/** Reads the keys of callers, on the hot path of every request, and writes when keys were used last. */
@Injectable()
export class KeyLookupStore {
  private readonly lookUps = new MicroBatcher((hashes: readonly Buffer[]) => this.findAll(hashes), MAX_LOOKUPS);

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

/** Who has claimed the agent whose key it is; null: nobody. */
export function claimedBy(
  { claimedBy, claimerPolicy }: Pick<KeyRow, 'claimedBy' | 'claimerPolicy'>,
  policies: KeyPolicies,
): Claimer | null {
  if (claimedBy === null || claimerPolicy === null) return null;
  return { accountId: claimedBy, policy: policyNamed(policies, claimerPolicy) };
}

/**
 * The longest time for which a process uses a key that it has read, also when invalidations are lost. It must stay
 * below the second in which a revocation takes effect; keys in use are read again together, about three times a second.
 */
export const KEY_CACHE_MS = 500;

/** About 500 bytes each. */
const MAX_KEYS = 20_000;

/** Keys by the hash of their token, for `KEY_CACHE_MS` from the moment their reading began. */
@Injectable()
export class KeyCache {
  private readonly reads: ReadMemo<KeyRow>;

  constructor(private readonly keys: KeyLookupStore) {
    this.reads = new ReadMemo<KeyRow>((names) => keys.findAll(names.map(hashOf)), {
      maxEntries: MAX_KEYS,
      believedMs: KEY_CACHE_MS,
      // The clock is monotonic, so changes of the time of day do not matter; it is looked up at each call, so that a test can turn it.
      now: () => performance.now(),
      timer: SYSTEM_TIMER,
    });
  }

  /**
   * Finds a key by its token; null for a token that was never given. Null is not cached, so that made-up tokens cannot fill the cache.
   * @param isSuspect it comes from a network that sends many made-up tokens: such tokens are read together, one statement at a time
   */
  find(tokenHash: Buffer, isSuspect = false): Promise<KeyRow | null> {
    return this.reads.find(nameOf(tokenHash), () =>
      isSuspect ? this.keys.findBatched(tokenHash) : this.keys.findByHash(tokenHash),
    );
  }

  forget(tokenHashes: readonly Buffer[]): void {
    for (const tokenHash of tokenHashes) this.reads.forget(nameOf(tokenHash));
  }
}

function nameOf(tokenHash: Buffer): string {
  return tokenHash.toString('base64');
}

function hashOf(name: string): Buffer {
  return Buffer.from(name, 'base64');
}

const CHANNEL = 'mailsonde:keys';
const HASH_BYTES = 32;

/**
 * Publishes changed keys to every process, so that none goes on with its cached copy. When a message is lost, because Redis is
 * away or a process has just lost its connection, the copy still expires soon (`KEY_CACHE_MS`).
 */
@Injectable()
export class KeyInvalidation implements OnApplicationShutdown {
  private readonly logger = new Logger(KeyInvalidation.name);
  private readonly subscriber: RedisClient | null;

  /** Without Redis, as on the command line, no other process is notified. */
  constructor(
    private readonly cache: KeyCache,
    @Optional() @Inject(REDIS) private readonly redis: RedisClient | null = null,
  ) {
    this.subscriber = redis && this.listen(redis);
  }

  /** Call after the change is committed: a process that reads the key earlier caches the old row again. */
  async publish(tokenHashes: readonly Buffer[]): Promise<void> {
    if (tokenHashes.length === 0) return;
    this.cache.forget(tokenHashes);
    await this.redis
      ?.publish(CHANNEL, Buffer.concat(tokenHashes).toString('base64'))
      .catch((error: Error) => this.logger.warn(`changed keys were not told to other processes: ${error.message}`));
  }

  onApplicationShutdown(): void {
    this.subscriber?.disconnect();
  }

  private listen(redis: RedisClient): RedisClient {
    const subscriber = listenerBeside(redis);
    subscriber.on('message', (_channel, message: string) => this.cache.forget(hashesIn(message)));
    subscriber.subscribe(CHANNEL).catch(() => undefined); // Only when it is closed before it got through.
    return subscriber;
  }
}

function hashesIn(message: string): Buffer[] {
  const bytes = Buffer.from(message, 'base64');
  const count = Math.floor(bytes.length / HASH_BYTES);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES));
}

/** A killed process loses what it has collected since the last writing. */
const WRITTEN_EVERY_MS = 60_000;

/** Collects when each key was used last, and writes that for all of them together: a request only changes a map. */
@Injectable()
export class KeyUses implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(KeyUses.name);
  private readonly periodic: Periodic;
  private lastUses = new Map<string, number>();

  constructor(
    private readonly keys: KeyLookupStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    this.periodic = new Periodic(() => this.write(), {
      everyMs: WRITTEN_EVERY_MS,
      firstAfterMs: WRITTEN_EVERY_MS,
      timer,
      onError: (error) => this.warn(error),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.periodic.stop();
    await this.write().catch((error: unknown) => this.warn(error));
  }

  record(keyId: string): void {
    this.lastUses.set(keyId, this.clock.now());
  }

  private async write(): Promise<void> {
    if (this.lastUses.size === 0) return;
    const written = this.lastUses;
    this.lastUses = new Map();
    try {
      await this.keys.recordUses(written);
    } catch (error) {
      this.lastUses = new Map([...written, ...this.lastUses]);
      throw error;
    }
  }

  private warn(error: unknown): void {
    this.logger.warn(`when keys were used last was not written: ${(error as Error).message}`);
  }
}
