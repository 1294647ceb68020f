import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { BatchAdministrationService } from './batch-administration.service.js';
import { BatchAdministrationStore } from './batch-administration.store.js';
import { BatchStore } from './batch.store.js';

@Module({
  imports: [CreditsModule],
  providers: [BatchAdministrationService, BatchAdministrationStore, BatchStore],
  exports: [BatchAdministrationService],
})
export class BatchAdministrationModule {}
