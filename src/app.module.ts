import { type DynamicModule, Module } from '@nestjs/common';
import { ClockModule } from './platform/clock.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { Env } from './platform/config/env.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { QueueModule } from './platform/queue/queue.module.js';
import { RedisModule } from './platform/redis/redis.module.js';

/** The environment once PostgreSQL and Redis are known, configured or embedded. */
export interface ServiceEnv extends Env {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** Which modules make the service. */
@Module({})
export class AppModule {
  static register(env: ServiceEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(env),
        ClockModule,
        DatabaseModule.register(env.databaseUrl),
        RedisModule.register(env.redisUrl),
        QueueModule.register(env.redisUrl),
        HealthModule,
      ],
      // Global guards and interceptors run in the order they stand in here:
      // access, rate, in flight; then idempotency (outermost), presenting.
      providers: [],
    };
  }
}
