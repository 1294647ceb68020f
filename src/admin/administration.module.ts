import { Module } from '@nestjs/common';
import { AgentPoolModule } from '../credits/agent-pool.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { AccountsModule } from '../keys/accounts.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { AccountAdministrationService } from './account-administration.service.js';
import { AgentAdministrationService } from './agent-administration.service.js';
import { AuditService } from './audit.service.js';
import { AuditStore } from './audit.store.js';
import { DemonstrationService } from './demonstration.service.js';
import { DemonstrationStore } from './demonstration.store.js';
import { KeyAdministrationService } from './key-administration.service.js';
import { PoolAdministrationService } from './pool-administration.service.js';
import { SuppressionAdministrationService } from './suppression-administration.service.js';

const services = [
  AccountAdministrationService,
  AgentAdministrationService,
  AuditService,
  DemonstrationService,
  KeyAdministrationService,
  PoolAdministrationService,
  SuppressionAdministrationService,
];

/** What administrators can do, behind the HTTP interface and the command line alike. Needs PostgreSQL and no Redis. */
@Module({
  imports: [AccountsModule, AgentPoolModule, CreditsModule, SuppressionsModule],
  providers: [...services, AuditStore, DemonstrationStore],
  exports: services,
})
export class AdministrationModule {}
