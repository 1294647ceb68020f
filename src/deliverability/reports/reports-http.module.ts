import { Module } from '@nestjs/common';
import { ReportsController } from './reports.controller.js';
import { OwnershipService } from './ownership.service.js';
import { ReportsModule } from './reports.module.js';
import { SimulatedReportsService } from './simulated-reports.service.js';

/** The routes of reports, and of the proof whose a domain is. */
@Module({
  imports: [ReportsModule],
  controllers: [ReportsController],
  providers: [OwnershipService, SimulatedReportsService],
})
export class ReportsHttpModule {}
