import { Inject, Injectable, Logger, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { REDIS } from '../platform/redis/redis.module.js';
import { KeyCache } from './key-cache.js';

const CHANNEL = 'mailsonde:keys';
const HASH_BYTES = 32;

/**
 * Tells every process which keys have changed, so that none goes on with what it has read of them. What is lost, because
 * Redis is away or a process has just lost its connection, is made good by the short life of what is read (`KEY_CACHE_MS`).
 */
@Injectable()
export class KeyNewsService implements OnApplicationShutdown {
  private readonly logger = new Logger(KeyNewsService.name);
  private readonly subscriber: Redis | null;

  /** Without Redis, as on the command line, nobody is told. */
  constructor(
    private readonly cache: KeyCache,
    @Optional() @Inject(REDIS) private readonly redis: Redis | null = null,
  ) {
    this.subscriber = redis && this.listen(redis);
  }

  /** Call when the change is committed: who reads again earlier reads what was. */
  async tell(tokenHashes: readonly Buffer[]): Promise<void> {
    if (tokenHashes.length === 0) return;
    this.cache.forget(tokenHashes);
    await this.redis
      ?.publish(CHANNEL, Buffer.concat(tokenHashes).toString('base64'))
      .catch((error: Error) => this.logger.warn(`changed keys were not told to other processes: ${error.message}`));
  }

  onApplicationShutdown(): void {
    this.subscriber?.disconnect();
  }

  private listen(redis: Redis): Redis {
    // Waits for Redis as long as it takes, and subscribes again by itself.
    const subscriber = redis.duplicate({ maxRetriesPerRequest: null, commandTimeout: undefined });
    subscriber.on('error', () => undefined);
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
