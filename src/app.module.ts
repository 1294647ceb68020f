import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AdminModule } from './admin/admin.module.js';
import { AuditModule } from './audit/audit.module.js';
import { BatchModule } from './batch/batch.module.js';
import { BatchWorkModule } from './batch/batch-work.module.js';
import { CreditsModule } from './credits/credits.module.js';
import { DiscoveryModule } from './discovery/discovery.module.js';
import { IdempotencyInterceptor } from './credits/idempotency/idempotency.interceptor.js';
import { AccessGuard } from './keys/access.guard.js';
import { InFlightInterceptor } from './keys/in-flight.interceptor.js';
import { McpModule } from './mcp/mcp.module.js';
import { KeysModule } from './keys/keys.module.js';
import { ListsModule } from './lists/lists.module.js';
import { RateLimitGuard } from './keys/rate-limit.guard.js';
import { ClockModule } from './platform/clock.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { Env } from './platform/config/env.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { KnownQueryInterceptor } from './platform/http/known-query.interceptor.js';
import { QueueModule } from './platform/queue/queue.module.js';
import { RedisModule } from './platform/redis/redis.module.js';
import { SecretsModule } from './platform/secrets/secrets.module.js';
import { PresentInterceptor } from './presenting/present.interceptor.js';
import { PresentingModule } from './presenting/presenting.module.js';
import { FinderModule } from './finder/finder.module.js';
import { FinderSearchModule } from './finder/finder-search.module.js';
import { SuppressionsHttpModule } from './suppressions/suppressions-http.module.js';
import { VerifyModule } from './verify/verify.module.js';
import { WebhookWorkModule } from './webhooks/webhook-work.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The environment once PostgreSQL, Redis and the key for secrets are known, configured or embedded. */
export interface ServiceEnv extends Env {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly secretsKey: string;
}

/** The rooms that answer over HTTP, and those that work in the background. */
const API_ROOMS = [
  KeysModule,
  CreditsModule,
  PresentingModule,
  VerifyModule,
  AdminModule,
  AuditModule,
  BatchModule,
  ListsModule,
  WebhooksModule,
  McpModule,
  FinderModule,
  SuppressionsHttpModule,
  DiscoveryModule,
];
const WORKER_ROOMS = [
  CreditsModule,
  PresentingModule,
  VerifyModule,
  FinderSearchModule,
  BatchWorkModule,
  WebhookWorkModule,
];

const ROOMS = { api: API_ROOMS, worker: WORKER_ROOMS, all: [...new Set([...API_ROOMS, ...WORKER_ROOMS])] };

/** So that with all that a request may wait for beside it a hung PostgreSQL is told within 16 s. Nobody waits for a worker. */
const REQUEST_STATEMENT_MS = 12_000;

/** Which modules make the service. */
@Module({})
export class AppModule {
  static register(env: ServiceEnv): DynamicModule {
    const platform = [
      ConfigModule.register(env),
      ClockModule,
      SecretsModule,
      DatabaseModule.register(
        env.databaseUrl,
        env.role === 'worker' ? {} : { statementTimeoutMs: REQUEST_STATEMENT_MS },
      ),
      RedisModule.register(env.redisUrl),
      QueueModule.register(env.redisUrl),
      HealthModule,
    ];
    return {
      module: AppModule,
      imports: [...platform, ...ROOMS[env.role]],
      providers:
        env.role === 'worker'
          ? []
          : [
              // In the order they run: who is calling and may they be here, then how often.
              { provide: APP_GUARD, useExisting: AccessGuard },
              { provide: APP_GUARD, useExisting: RateLimitGuard },
              // The first is outermost: it gives the place in flight back when all the others are done.
              { provide: APP_INTERCEPTOR, useExisting: InFlightInterceptor },
              { provide: APP_INTERCEPTOR, useExisting: IdempotencyInterceptor },
              { provide: APP_INTERCEPTOR, useExisting: PresentInterceptor },
              { provide: APP_INTERCEPTOR, useClass: KnownQueryInterceptor },
            ],
    };
  }
}
