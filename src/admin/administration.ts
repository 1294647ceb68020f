import { type DynamicModule, type INestApplicationContext, type LoggerService, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CreditsAudit } from '../credits/credits-audit.js';
import { ClockModule } from '../platform/clock.module.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ConfigModule } from '../platform/config/config.module.js';
import type { Env } from '../platform/config/env.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { MetricsModule } from '../platform/metrics/metrics.module.js';
import { NoQueueModule } from '../platform/queue/queue.module.js';
import { SecretsModule } from '../platform/config/secrets.module.js';
import { ErasureReceipts } from '../privacy/erasure-receipts.js';
import { PrivacyModule } from '../privacy/privacy.module.js';
import { ResolverModule } from '../resolver/resolver.module.js';
import { AccountAdministrationService } from './accounts/account-administration.service.js';
import { AccountChangesService } from './accounts/account-changes.service.js';
import { AccountPageService } from './accounts/account-page.service.js';
import { AccountRecordsService } from './accounts/account-records.service.js';
import { AdminModule } from './admin.module.js';
import { AgentAdministrationService } from './agent-administration.service.js';
import { AuditService } from './audit.service.js';
import { BlacklistAdministrationService } from './blacklists/blacklist-administration.service.js';
import { EgressAdministrationService } from './egress/egress-administration.service.js';
import { OptOutAdministrationService } from './egress/opt-out-administration.service.js';
import { KeyAdministrationService } from './key-administration.service.js';
import { MonitorAdministrationService } from './monitors/monitor-administration.service.js';
import { OperatorAdministrationService } from './operator-administration.service.js';
import { PoolAdministrationService } from './pool-administration.service.js';
import { SeedAdministrationService } from './placement/seed-administration.service.js';
import { SearchService } from './search.service.js';
import { StatusService } from './status/status.service.js';
import { SuppressionAdministrationService } from './suppression-administration.service.js';
import { WorkAdministrationService } from './work-administration.service.js';

/** Everything that administrators can do, for a program without HTTP. */
export interface Administration {
  readonly accounts: AccountAdministrationService;
  readonly accountChanges: AccountChangesService;
  readonly accountPage: AccountPageService;
  readonly records: AccountRecordsService;
  readonly keys: KeyAdministrationService;
  readonly agents: AgentAdministrationService;
  readonly blacklists: BlacklistAdministrationService;
  readonly egress: EgressAdministrationService;
  readonly monitors: MonitorAdministrationService;
  readonly operators: OperatorAdministrationService;
  readonly optOuts: OptOutAdministrationService;
  readonly pool: PoolAdministrationService;
  readonly search: SearchService;
  readonly seeds: SeedAdministrationService;
  readonly status: StatusService;
  readonly suppressions: SuppressionAdministrationService;
  readonly work: WorkAdministrationService;
  readonly audit: AuditService;
  readonly creditsAudit: CreditsAudit;
  readonly erasures: ErasureReceipts;
  readonly clock: WallClock;
  close(): Promise<void>;
}

@Module({})
class AdministrationProgramModule {
  static register(env: Env, databaseUrl: string): DynamicModule {
    return {
      module: AdministrationProgramModule,
      imports: [
        ConfigModule.register(env),
        ClockModule,
        SecretsModule,
        MetricsModule,
        NoQueueModule,
        ResolverModule,
        DatabaseModule.register(databaseUrl, { applicationName: 'mailsonde admin', poolSize: 2 }),
        AdminModule,
        PrivacyModule,
      ],
    };
  }
}

/**
 * Opens the services of administrators. They need PostgreSQL with the present schema, and no Redis: a change takes effect in every
 * process when its cached keys expire (`KEY_CACHE_MS`).
 */
export async function openAdministration(
  env: Env,
  databaseUrl: string,
  logger: LoggerService | false,
): Promise<Administration> {
  const module = AdministrationProgramModule.register(env, databaseUrl);
  const app: INestApplicationContext = await NestFactory.createApplicationContext(module, {
    logger,
    abortOnError: false,
  });
  return {
    accounts: app.get(AccountAdministrationService),
    accountChanges: app.get(AccountChangesService),
    accountPage: app.get(AccountPageService),
    records: app.get(AccountRecordsService),
    keys: app.get(KeyAdministrationService),
    agents: app.get(AgentAdministrationService),
    blacklists: app.get(BlacklistAdministrationService),
    egress: app.get(EgressAdministrationService),
    monitors: app.get(MonitorAdministrationService),
    operators: app.get(OperatorAdministrationService),
    optOuts: app.get(OptOutAdministrationService),
    pool: app.get(PoolAdministrationService),
    search: app.get(SearchService),
    seeds: app.get(SeedAdministrationService),
    status: app.get(StatusService),
    suppressions: app.get(SuppressionAdministrationService),
    work: app.get(WorkAdministrationService),
    audit: app.get(AuditService),
    creditsAudit: app.get(CreditsAudit, { strict: false }),
    erasures: app.get(ErasureReceipts, { strict: false }),
    clock: app.get<WallClock>(CLOCK, { strict: false }),
    close: () => app.close(),
  };
}
