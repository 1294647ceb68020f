import { Module } from '@nestjs/common';
import { DmarcIntakeService } from './dmarc-intake.service.js';
import { DmarcReportsService } from './dmarc-reports.service.js';
import { ReportAddressesStore } from './report-addresses.store.js';
import { ReportIntakeStore } from './report-intake.store.js';
import { TlsIntakeService } from './tls-intake.service.js';
import { TlsReportsService } from './tls-reports.service.js';

const services = [
  DmarcIntakeService,
  DmarcReportsService,
  ReportAddressesStore,
  ReportIntakeStore,
  TlsIntakeService,
  TlsReportsService,
];

/** Reports about the domains of monitors, DMARC's and those on encryption: kept, and what they say. */
@Module({ providers: services, exports: services })
export class ReportsModule {}
