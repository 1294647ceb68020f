import { Module } from '@nestjs/common';
import { InboundModule } from '../inbound/inbound.module.js';
import { ReportKeeperService } from './report-keeper.service.js';
import { ProvenReportersService } from './proven-reporters.service.js';
import { ReportMailbox } from './report-mailbox.js';
import { ReportsCleanup } from './reports-cleanup.js';
import { ReportsModule } from './reports.module.js';

/** Takes the reports that come by mail, and deletes those that are old. */
@Module({
  imports: [InboundModule, ReportsModule],
  providers: [ProvenReportersService, ReportKeeperService, ReportMailbox, ReportsCleanup],
  exports: [ReportMailbox],
})
export class ReportsWorkerModule {}
