import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { createRedis } from './redis.js';

/** Nest token of the shared `Redis` client (class of `ioredis`). */
export const REDIS = Symbol('REDIS');

/** The one client for every room except the queue, which needs its own. */
@Global()
@Module({})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: Redis) {}

  static register(url: string): DynamicModule {
    return {
      module: RedisModule,
      providers: [{ provide: REDIS, useFactory: () => createRedis(url) }],
      exports: [REDIS],
    };
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
