import { Injectable, Inject, Logger, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { ReadMemo } from '../../lib/read-memo.js';
import { SYSTEM_TIMER } from '../../platform/clock.js';
import { KeyLookupStore, type KeyRow } from './key-lookup.store.js';
import { listenerBeside, REDIS, type RedisClient } from '../../platform/redis/redis.js';

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
