import { Module } from '@nestjs/common';
import { BlacklistsModule } from '../deliverability/blacklists/blacklists.module.js';
import { BatchModule } from '../batch/batch.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { AuditLogModule } from '../platform/audit/audit-log.module.js';
import { MonitorsAdministrationModule } from '../deliverability/monitors/monitors-administration.module.js';
import { OperatorsModule } from '../sending/operators/operators.module.js';
import { PlacementAdministrationModule } from '../deliverability/placement/placement-administration.module.js';
import { SourcesModule } from '../sending/sources/sources.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AccountAdministrationService } from './account-administration.service.js';
import { AccountChangesService } from './account-changes.service.js';
import { AccountPageService, AccountRecordsService } from './account-page.service.js';
import { AuditService } from './audit.service.js';
import { BlacklistAdministrationService } from './blacklist-administration.service.js';
import { DemonstrationService } from './demonstration.service.js';
import { EgressAdministrationService } from './egress-administration.service.js';
import { KeyAdministrationService } from './key-administration.service.js';
import { KnownRegions } from './known-regions.js';
import { OperatorAdministrationService } from './operator-administration.service.js';
import { SearchService } from './search.service.js';
import { AccountWorkStore } from './status/account-work.store.js';
import { InfrastructureStore, StatusReasons, StatusService } from './status/status.service.js';
import { WorkloadService } from './workload.service.js';

/** Their services are of administrators' routes too. */
const modules = [
  AuditLogModule,
  BatchModule,
  BlacklistsModule,
  CreditsModule,
  KeysModule,
  MonitorsAdministrationModule,
  OperatorsModule,
  PlacementAdministrationModule,
  SourcesModule,
  WebhooksModule,
];

const services = [
  AccountAdministrationService,
  AccountChangesService,
  AccountPageService,
  AccountRecordsService,
  AuditService,
  BlacklistAdministrationService,
  DemonstrationService,
  EgressAdministrationService,
  KeyAdministrationService,
  OperatorAdministrationService,
  SearchService,
  StatusService,
  WorkloadService,
];

/** The acts of administrators. Needs PostgreSQL and no Redis, because the commands that work on the database have none. */
@Module({
  imports: modules,
  providers: [...services, AccountWorkStore, InfrastructureStore, KnownRegions, StatusReasons],
  exports: [...services, ...modules],
})
export class AdminModule {}
