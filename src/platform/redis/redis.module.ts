import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Limiter } from './limits.js';
import { RateLimiter } from './rate-limiter.js';
import { createRedis, REDIS, type RedisClient } from './redis.js';

/** The one client for every feature module except the queue, which needs its own, and the limits that are counted in Redis. */
@Global()
@Module({})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: RedisClient) {}

  static register(url: string): DynamicModule {
    return {
      module: RedisModule,
      providers: [
        { provide: REDIS, useFactory: () => createRedis(url) },
        RateLimiter,
        { provide: Limiter, useExisting: RateLimiter },
      ],
      exports: [REDIS, RateLimiter, Limiter],
    };
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
