import { Module } from '@nestjs/common';
import { BatchAdministrationModule } from '../batch/batch-administration.module.js';
import { AgentPoolModule } from '../credits/agent-pool.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { AccountsModule } from '../keys/accounts.module.js';
import { AuditLogModule } from '../platform/audit/audit-log.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { DeliveryAdministrationModule } from '../webhooks/delivery-administration.module.js';
import { AccountAdministrationService } from './account-administration.service.js';
import { AgentAdministrationService } from './agent-administration.service.js';
import { AuditService } from './audit.service.js';
import { DemonstrationService } from './demonstration.service.js';
import { DemonstrationStore } from './demonstration.store.js';
import { KeyAdministrationService } from './key-administration.service.js';
import { PoolAdministrationService } from './pool-administration.service.js';
import { SuppressionAdministrationService } from './suppression-administration.service.js';
import { WorkAdministrationService } from './work-administration.service.js';

const services = [
  AccountAdministrationService,
  AgentAdministrationService,
  AuditService,
  DemonstrationService,
  KeyAdministrationService,
  PoolAdministrationService,
  SuppressionAdministrationService,
  WorkAdministrationService,
];

/** What administrators can do, behind the HTTP interface and the command line alike. Needs PostgreSQL and no Redis. */
@Module({
  imports: [
    AccountsModule,
    AgentPoolModule,
    AuditLogModule,
    BatchAdministrationModule,
    CreditsModule,
    DeliveryAdministrationModule,
    SuppressionsModule,
  ],
  providers: [...services, DemonstrationStore],
  exports: services,
})
export class AdministrationModule {}
