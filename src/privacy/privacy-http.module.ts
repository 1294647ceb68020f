import { Module } from '@nestjs/common';
import { BatchHttpModule } from '../batch/batch-http.module.js';
import { BlacklistsModule } from '../deliverability/blacklists/blacklists.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { DomainsModule } from '../deliverability/domains/domains.module.js';
import { KeysHttpModule } from '../keys/keys-http.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { ListsHttpModule } from '../lists/lists-http.module.js';
import { ListsModule } from '../lists/lists.module.js';
import { MonitorsHttpModule } from '../deliverability/monitors/monitors-http.module.js';
import { PlacementModule } from '../deliverability/placement/placement.module.js';
import { AuditLogModule } from '../platform/audit/audit-log.module.js';
import { PresentingModule } from '../presenting/presenting.module.js';
import { ReportsModule } from '../deliverability/reports/reports.module.js';
import { ReuseModule } from '../reuse/reuse.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { WebhooksHttpModule } from '../webhooks/webhooks-http.module.js';
import { ErasuresController } from './erasures.controller.js';
import { ErasuresService } from './erasures.service.js';
import { ExportController } from './export.controller.js';
import { ExportLines } from './export-lines.js';
import { PrivacyModule } from './privacy.module.js';

/** The routes by which addresses are forgotten, and by which an account takes along what it has. */
@Module({
  imports: [
    AuditLogModule,
    BatchHttpModule,
    BlacklistsModule,
    CreditsModule,
    DomainsModule,
    KeysHttpModule,
    KeysModule,
    ListsHttpModule,
    ListsModule,
    MonitorsHttpModule,
    PlacementModule,
    PresentingModule,
    PrivacyModule,
    ReportsModule,
    ReuseModule,
    SuppressionsModule,
    WebhooksHttpModule,
  ],
  controllers: [ErasuresController, ExportController],
  providers: [ErasuresService, ExportLines],
})
export class PrivacyHttpModule {}
