import { Module } from '@nestjs/common';
import { KeptReports } from './http/kept-reports.service.js';
import { ReportsStore } from './http/reports.store.js';
import { KeepReports } from './intake/keep-reports.service.js';
import { ReportIntakeStore } from './intake/report-intake.store.js';
import { ReportAddressesStore } from './ownership/report-addresses.store.js';

/** Aggregate reports about the domains of monitors: kept, and what they say. */
@Module({
  providers: [KeepReports, KeptReports, ReportAddressesStore, ReportIntakeStore, ReportsStore],
  exports: [KeepReports, KeptReports, ReportAddressesStore, ReportIntakeStore],
})
export class ReportsModule {}
