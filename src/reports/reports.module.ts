import { Module } from '@nestjs/common';
import { KeptReports } from './http/kept-reports.service.js';
import { ReportsStore } from './http/reports.store.js';
import { KeptTlsReports } from './http/kept-tls-reports.service.js';
import { TlsReportsStore } from './http/tls-reports.store.js';
import { KeepReports } from './intake/keep-reports.service.js';
import { KeepTlsReports } from './intake/keep-tls-reports.service.js';
import { TlsIntakeStore } from './intake/tls-intake.store.js';
import { ReportIntakeStore } from './intake/report-intake.store.js';
import { ReportAddressesStore } from './ownership/report-addresses.store.js';

/** Reports about the domains of monitors, DMARC's and those on encryption: kept, and what they say. */
@Module({
  providers: [
    KeepReports,
    KeepTlsReports,
    KeptReports,
    KeptTlsReports,
    ReportAddressesStore,
    ReportIntakeStore,
    ReportsStore,
    TlsIntakeStore,
    TlsReportsStore,
  ],
  exports: [
    KeepReports,
    KeepTlsReports,
    KeptReports,
    KeptTlsReports,
    ReportAddressesStore,
    ReportIntakeStore,
    TlsIntakeStore,
  ],
})
export class ReportsModule {}
