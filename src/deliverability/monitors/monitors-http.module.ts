import { Module } from '@nestjs/common';
import { CreditsModule } from '../../credits/credits.module.js';
import { RequestedRunsService } from './requested-runs.service.js';
import { MonitorHistoryService } from './monitor-history.service.js';
import { MonitorHistoryController } from './http/monitor-history.controller.js';
import { MonitorMutesController } from './http/monitor-mutes.controller.js';
import { MonitorsController } from './http/monitors.controller.js';
import { MonitorsService } from './monitors.service.js';
import { MonitorsStore } from './monitors.store.js';
import { MonitorMutesService } from './mutes.service.js';
import { MonitorsModule } from './monitors.module.js';

/** The routes of monitors. */
@Module({
  imports: [CreditsModule, MonitorsModule],
  controllers: [MonitorsController, MonitorHistoryController, MonitorMutesController],
  providers: [RequestedRunsService, MonitorHistoryService, MonitorsService, MonitorsStore, MonitorMutesService],
  exports: [MonitorHistoryService, MonitorsService],
})
export class MonitorsHttpModule {}
