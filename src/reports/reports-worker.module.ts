import { Module } from '@nestjs/common';
import { InboundModule } from '../inbound/inbound.module.js';
import { ReportMailbox } from './intake/report-mailbox.js';
import { ReportsCleanup } from './intake/reports-cleanup.js';
import { ReportsModule } from './reports.module.js';

/** Takes the reports that come by mail, and deletes those that are old. */
@Module({
  imports: [InboundModule, ReportsModule],
  providers: [ReportMailbox, ReportsCleanup],
  exports: [ReportMailbox],
})
export class ReportsWorkerModule {}
