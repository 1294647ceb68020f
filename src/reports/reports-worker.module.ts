import { Module } from '@nestjs/common';
import { InboundModule } from '../inbound/inbound.module.js';
import { KeepAnyReport } from './intake/keep-any-report.service.js';
import { KeepFailures } from './intake/keep-failures.service.js';
import { ProvenReporters } from './intake/proven-reporters.service.js';
import { ReportMailbox } from './intake/report-mailbox.js';
import { ReportsCleanup } from './intake/reports-cleanup.js';
import { ReportsModule } from './reports.module.js';

/** Takes the reports that come by mail, and deletes those that are old. */
@Module({
  imports: [InboundModule, ReportsModule],
  providers: [KeepAnyReport, KeepFailures, ProvenReporters, ReportMailbox, ReportsCleanup],
  exports: [ReportMailbox],
})
export class ReportsWorkerModule {}
