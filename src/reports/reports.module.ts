import { Module } from '@nestjs/common';
import { KeptReports } from './http/kept-reports.service.js';
import { KeptTlsReports } from './http/kept-tls-reports.service.js';
import { ReportPages } from './http/report-pages.service.js';
import { ReportPagesStore } from './http/report-pages.store.js';
import { ReportsStore } from './http/reports.store.js';
import { TlsReportsStore } from './http/tls-reports.store.js';
import { DmarcIntakeStore } from './intake/dmarc-intake.store.js';
import { KeepReports } from './intake/keep-reports.service.js';
import { KeepTlsReports } from './intake/keep-tls-reports.service.js';
import { ReportIntakeStore } from './intake/report-intake.store.js';
import { TlsIntakeStore } from './intake/tls-intake.store.js';
import { ReportAddressesStore } from './ownership/report-addresses.store.js';

/** Reports about the domains of monitors, DMARC's and those on encryption: kept, and what they say. */
@Module({
  providers: [
    DmarcIntakeStore,
    KeepReports,
    KeepTlsReports,
    KeptReports,
    KeptTlsReports,
    ReportAddressesStore,
    ReportIntakeStore,
    ReportPages,
    ReportPagesStore,
    ReportsStore,
    TlsIntakeStore,
    TlsReportsStore,
  ],
  exports: [
    DmarcIntakeStore,
    KeepReports,
    KeepTlsReports,
    KeptReports,
    KeptTlsReports,
    ReportAddressesStore,
    ReportIntakeStore,
  ],
})
export class ReportsModule {}
