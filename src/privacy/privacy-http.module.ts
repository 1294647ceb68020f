import { Module } from '@nestjs/common';
import { BatchHttpModule } from '../batch/batch-http.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { AuditLogModule } from '../platform/audit/audit-log.module.js';
import { PresentingModule } from '../presenting/presenting.module.js';
import { ReuseModule } from '../reuse/reuse.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { WebhooksHttpModule } from '../webhooks/webhooks-http.module.js';
import { ErasuresController } from './erasures/erasures.controller.js';
import { ErasuresService } from './erasures/erasures.service.js';
import { ExportController } from './export/export.controller.js';
import { ExportedAccount } from './export/exported-account.service.js';
import { ExportedRecords } from './export/exported-records.service.js';
import { ExportedWork } from './export/exported-work.service.js';
import { PrivacyModule } from './privacy.module.js';

/** The routes by which addresses are forgotten, and by which an account takes along what it has. */
@Module({
  imports: [
    AuditLogModule,
    BatchHttpModule,
    CreditsModule,
    KeysModule,
    PresentingModule,
    PrivacyModule,
    ReuseModule,
    SuppressionsModule,
    WebhooksHttpModule,
  ],
  controllers: [ErasuresController, ExportController],
  providers: [ErasuresService, ExportedAccount, ExportedRecords, ExportedWork],
})
export class PrivacyHttpModule {}
