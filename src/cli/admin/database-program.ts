import type { DynamicModule, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CreditsAudit } from '../../credits/credits-audit.js';
import { type IssuedKeyReply, issuedKeyReply } from '../../keys/key.reply.js';
import { MonitorOverviewService } from '../../deliverability/monitors/monitor-overview.service.js';
import { ClockModule } from '../../platform/clock.module.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import type { Env } from '../../platform/config/env.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { InputPipe } from '../../platform/http/input-checks.js';
import { MetricsModule } from '../../platform/metrics/metrics.module.js';
import { NoQueueModule } from '../../platform/queue/queue.module.js';
import { SecretsModule } from '../../platform/config/secrets.module.js';
import { ResolverModule } from '../../resolver/resolver.module.js';
import type { Actor } from '../../admin/actor.js';
import { AdminModule } from '../../admin/admin.module.js';
import { type CreditsAuditReply, creditsAuditReply } from '../../admin/bodies/account.reply.js';
import { adminKeyRequestOf, CreateAdminKeyRequest } from '../../admin/bodies/admin.dto.js';
import { type AllMonitorsReply, allMonitorsReply } from '../../admin/bodies/monitor.reply.js';
import { type StatusReply, statusReply } from '../../admin/bodies/status.reply.js';
import { KeyAdministrationService } from '../../admin/key-administration.service.js';
import { StatusService } from '../../admin/status/status.service.js';

/** What administrators do without a running service: the first key needs none, and the rest is asked while services are down. */
export interface DatabaseProgram {
  /** @throws AppError `invalid_input` */
  createKey(actor: Actor, typed: Partial<CreateAdminKeyRequest>): Promise<IssuedKeyReply>;
  readStatus(): Promise<StatusReply>;
  auditCredits(): Promise<CreditsAuditReply>;
  lateMonitors(seconds: number): Promise<AllMonitorsReply>;
  close(): Promise<void>;
}

class DatabaseProgramModule {}

/** It needs PostgreSQL with the present schema, and no Redis. */
export async function openDatabaseProgram(
  env: Env,
  databaseUrl: string,
  logger: LoggerService | false,
): Promise<DatabaseProgram> {
  const module: DynamicModule = {
    module: DatabaseProgramModule,
    imports: [
      ConfigModule.register(env),
      ClockModule,
      SecretsModule,
      MetricsModule,
      NoQueueModule,
      ResolverModule,
      DatabaseModule.register(databaseUrl, { applicationName: 'mailsonde admin', poolSize: 2 }),
      AdminModule,
    ],
  };
  const app = await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
  const clock = app.get<WallClock>(CLOCK, { strict: false });
  return {
    createKey: async (actor, typed) => {
      const checked: unknown = await new InputPipe().transform(typed, {
        type: 'body',
        metatype: CreateAdminKeyRequest,
      });
      const request = adminKeyRequestOf(checked as CreateAdminKeyRequest);
      return issuedKeyReply(await app.get(KeyAdministrationService).create(actor, request), clock.now());
    },
    readStatus: async () => statusReply(await app.get(StatusService).read()),
    auditCredits: async () => creditsAuditReply(await app.get(CreditsAudit, { strict: false }).run()),
    lateMonitors: async (seconds) => {
      const now = new Date(clock.now());
      const overview = app.get(MonitorOverviewService, { strict: false });
      return allMonitorsReply(await overview.read(), await overview.late(seconds * 1_000, 100), now);
    },
    close: () => app.close(),
  };
}
