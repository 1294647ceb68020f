import { type DynamicModule, Module } from '@nestjs/common';
import { AdminHttpModule } from './admin/admin-http.module.js';
import { AuditHttpModule } from './audit/audit-http.module.js';
import { BatchHttpModule } from './batch/batch-http.module.js';
import { BATCH_QUEUE } from './batch/batch-queue.js';
import { BatchWorkerModule } from './batch/batch-worker.module.js';
import { BlacklistsHttpModule } from './blacklists/blacklists-http.module.js';
import { ConsoleHttpModule } from './console/console-http.module.js';
import { CreditsHttpModule } from './credits/credits-http.module.js';
import { CreditsWorkerModule } from './credits/credits-worker.module.js';
import { DiscoveryHttpModule } from './discovery/discovery-http.module.js';
import { DomainsHttpModule } from './domains/domains-http.module.js';
import { FinderHttpModule } from './finder/finder-http.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { IdempotencyWorkerModule } from './idempotency/idempotency-worker.module.js';
import { InboundWorkerModule } from './inbound/inbound-worker.module.js';
import { KeysHttpModule } from './keys/keys-http.module.js';
import { ListsWorkerModule } from './lists/lists-worker.module.js';
import { ListsHttpModule } from './lists/lists-http.module.js';
import { McpHttpModule } from './mcp/mcp-http.module.js';
import { MonitorsHttpModule } from './monitors/monitors-http.module.js';
import { MonitorsWorkerModule } from './monitors/monitors-worker.module.js';
import { ClockModule } from './platform/clock.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { Env } from './platform/config/env.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { HealthHttpModule } from './platform/health/health-http.module.js';
import { MetricsHttpModule } from './platform/metrics/metrics-http.module.js';
import { MetricsModule } from './platform/metrics/metrics.module.js';
import { QueueModule } from './platform/queue/queue.module.js';
import { RedisModule } from './platform/redis/redis.module.js';
import { SecretsModule } from './platform/secrets/secrets.module.js';
import { OptOutsHttpModule } from './opt-outs/opt-outs-http.module.js';
import { PlacementHttpModule } from './placement/placement-http.module.js';
import { PlacementWorkerModule } from './placement/placement-worker.module.js';
import { PresentingModule } from './presenting/presenting.module.js';
import { PrivacyHttpModule } from './privacy/privacy-http.module.js';
import { PrivacyWorkerModule } from './privacy/privacy-worker.module.js';
import { REQUEST_PIPELINE } from './request-pipeline.js';
import { ReportsHttpModule } from './reports/reports-http.module.js';
import { ReportsWorkerModule } from './reports/reports-worker.module.js';
import { ReuseHttpModule } from './reuse/reuse-http.module.js';
import { ReuseWorkerModule } from './reuse/reuse-worker.module.js';
import { SourcesWorkerModule } from './sources/sources-worker.module.js';
import { SuppressionsHttpModule } from './suppressions/suppressions-http.module.js';
import { VerifyHttpModule } from './verify/verify-http.module.js';
import { WEBHOOK_QUEUE } from './webhooks/webhook-queue.js';
import { WebhooksHttpModule } from './webhooks/webhooks-http.module.js';
import { WebhooksWorkerModule } from './webhooks/webhooks-worker.module.js';

/** The environment once PostgreSQL, Redis and the key for secrets are known, configured or embedded. */
export interface ServiceEnv extends Env {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly secretsKey: string;
}

/** Modules of the rooms' routes, in the order of the documents, with the providers that `REQUEST_PIPELINE` needs. */
const API_ROOMS = [
  KeysHttpModule,
  CreditsHttpModule,
  IdempotencyModule,
  PresentingModule,
  VerifyHttpModule,
  ReuseHttpModule,
  AdminHttpModule,
  AuditHttpModule,
  BatchHttpModule,
  ListsHttpModule,
  WebhooksHttpModule,
  McpHttpModule,
  FinderHttpModule,
  SuppressionsHttpModule,
  BlacklistsHttpModule,
  DomainsHttpModule,
  MonitorsHttpModule,
  PlacementHttpModule,
  ReportsHttpModule,
  PrivacyHttpModule,
  OptOutsHttpModule,
  DiscoveryHttpModule,
  ConsoleHttpModule,
  HealthHttpModule,
  // Clean-ups run in every process, so that another process or a restarted one cleans up after one that has died.
  CreditsWorkerModule,
  IdempotencyWorkerModule,
  PrivacyWorkerModule,
  ReuseWorkerModule,
  SourcesWorkerModule,
];

/** Modules of the rooms' background work. */
const WORKER_ROOMS = [
  PresentingModule,
  BatchWorkerModule,
  ListsWorkerModule,
  MonitorsWorkerModule,
  WebhooksWorkerModule,
  InboundWorkerModule,
  ReportsWorkerModule,
  PlacementWorkerModule,
  CreditsWorkerModule,
  IdempotencyWorkerModule,
  PrivacyWorkerModule,
  ReuseWorkerModule,
  SourcesWorkerModule,
];

const ROOMS = { api: API_ROOMS, worker: WORKER_ROOMS, all: [...new Set([...API_ROOMS, ...WORKER_ROOMS])] };

/**
 * The longest statement of a process that serves requests: short enough that a caller of a hung PostgreSQL is answered in time.
 * Nobody waits for a worker's statements.
 */
const REQUEST_STATEMENT_MS = 12_000;

/**
 * The modules of the service, by role. A room has at most three: `x.module` has its data and its services; commands import it, so
 * it starts no sweep and needs no Redis; `x-http.module` has controllers, `x-worker.module` processors and timers.
 */
@Module({})
export class AppModule {
  static register(env: ServiceEnv): DynamicModule {
    const isWorker = env.role === 'worker';
    const platform = [
      ConfigModule.register(env),
      ClockModule,
      SecretsModule,
      DatabaseModule.register(
        env.databaseUrl,
        isWorker ? {} : { statementTimeoutMs: REQUEST_STATEMENT_MS },
        env.databaseReadUrl,
      ),
      RedisModule.register(env.redisUrl),
      QueueModule.register(env.redisUrl, [BATCH_QUEUE, WEBHOOK_QUEUE]),
      HealthModule,
      MetricsModule,
      MetricsHttpModule,
    ];
    return {
      module: AppModule,
      imports: [...platform, ...ROOMS[env.role]],
      providers: isWorker ? [] : [...REQUEST_PIPELINE],
    };
  }
}
