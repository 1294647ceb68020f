import { Module } from '@nestjs/common';
import { ReportsController } from './http/reports.controller.js';
import { TlsReportsController } from './http/tls-reports.controller.js';
import { UnreadableReportsController } from './http/unreadable-reports.controller.js';
import { OwnershipService } from './ownership/ownership.service.js';
import { ReportsModule } from './reports.module.js';
import { SimulatedReports } from './simulated/simulated-reports.service.js';

/** The routes of reports, and of the proof whose a domain is. */
@Module({
  imports: [ReportsModule],
  controllers: [ReportsController, TlsReportsController, UnreadableReportsController],
  providers: [OwnershipService, SimulatedReports],
})
export class ReportsHttpModule {}
