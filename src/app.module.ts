import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { BATCH_QUEUE } from './batch/model/batch.js';
import { ClockModule } from './platform/clock.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { Env } from './platform/config/env.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { MetricsHttpModule } from './platform/health/metrics-http.module.js';
import { MetricsModule } from './platform/metrics/metrics.module.js';
import { QueueModule } from './platform/queue/queue.module.js';
import { RedisModule } from './platform/redis/redis.module.js';
import { SecretsModule } from './platform/config/secrets.module.js';
import { ResolverModule } from './resolver/resolver.module.js';
import { WEBHOOK_QUEUE } from './webhooks/webhook-queue.js';

/** The environment once PostgreSQL, Redis and the key for secrets are known, configured or embedded. */
export interface ServiceEnv extends Env {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly secretsKey: string;
}

/**
 * The longest statement of a process that serves requests: short enough that a caller of a hung PostgreSQL is answered in time.
 * Nobody waits for a worker's statements.
 */
const REQUEST_STATEMENT_MS = 12_000;

/**
 * The modules of the service, by role. A feature has at most three: `x.module` has its data and its services; commands import it, so
 * it starts no sweep and needs no Redis; `x-http.module` has controllers, `x-worker.module` processors and timers.
 */
@Module({})
export class AppModule {
  static async register(env: ServiceEnv): Promise<DynamicModule> {
    const isWorker = env.role === 'worker';
    const platform = [
      ConfigModule.register(env),
      ClockModule,
      SecretsModule,
      DatabaseModule.register(env.databaseUrl, {
        ...(!isWorker && { statementTimeoutMs: REQUEST_STATEMENT_MS }),
        readUrl: env.databaseReadUrl,
        waitSeconds: env.startWaitSeconds,
      }),
      ResolverModule,
      RedisModule.register(env.redisUrl),
      QueueModule.register(env.redisUrl, [BATCH_QUEUE, WEBHOOK_QUEUE]),
      HealthModule,
      MetricsModule,
      MetricsHttpModule,
    ];
    const { modules, providers } = await modulesOf(env.role);
    return { module: AppModule, imports: [...platform, ...modules], providers };
  }
}

/** Loads what the role needs: a worker would keep the routes, and what they are made with, in memory for nothing. */
async function modulesOf(role: Env['role']): Promise<{ modules: Type[]; providers: Provider[] }> {
  const api = role === 'worker' ? null : await import('./api.modules.js');
  const worker = role === 'api' ? null : await import('./worker.modules.js');
  const modules = [...new Set([...(api?.API_MODULES ?? []), ...(worker?.WORKER_MODULES ?? [])])];
  return { modules, providers: [...(api?.REQUEST_PIPELINE ?? [])] };
}
