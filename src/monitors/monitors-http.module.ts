import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { AskedRuns } from './http/asked-runs.service.js';
import { HistoryStore } from './http/history.store.js';
import { MonitorHistoryController } from './http/monitor-history.controller.js';
import { MonitorHistoryService } from './http/monitor-history.service.js';
import { MonitorsController } from './http/monitors.controller.js';
import { MonitorsService } from './http/monitors.service.js';
import { MonitorsStore } from './http/monitors.store.js';
import { MutedLists } from './muting/muted-lists.service.js';
import { MonitorsModule } from './monitors.module.js';

/** The routes of monitors. */
@Module({
  imports: [CreditsModule, MonitorsModule],
  controllers: [MonitorsController, MonitorHistoryController],
  providers: [AskedRuns, HistoryStore, MonitorHistoryService, MonitorsService, MonitorsStore, MutedLists],
  exports: [MonitorHistoryService, MonitorsService],
})
export class MonitorsHttpModule {}
