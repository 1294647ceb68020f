import { Inject, Injectable, Logger, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { listenerBeside, REDIS, type RedisClient } from '../../platform/redis/redis.js';
import { KeyCache } from './key-cache.js';

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
