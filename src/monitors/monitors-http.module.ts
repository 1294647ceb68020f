import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { AskedRuns } from './http/asked-runs.service.js';
import { HistoryStore } from './http/history.store.js';
import { MonitorHistoryController } from './http/monitor-history.controller.js';
import { MonitorHistoryService } from './http/monitor-history.service.js';
import { MonitorMutesController } from './http/monitor-mutes.controller.js';
import { MonitorsController } from './http/monitors.controller.js';
import { MonitorsService } from './settings/monitors.service.js';
import { MonitorsStore } from './settings/monitors.store.js';
import { MutedFindingsStore } from './muting/muted-findings.store.js';
import { MonitorMutes } from './muting/mutes.service.js';
import { MonitorsModule } from './monitors.module.js';

/** The routes of monitors. */
@Module({
  imports: [CreditsModule, MonitorsModule],
  controllers: [MonitorsController, MonitorHistoryController, MonitorMutesController],
  providers: [
    AskedRuns,
    HistoryStore,
    MonitorHistoryService,
    MonitorsService,
    MonitorsStore,
    MonitorMutes,
    MutedFindingsStore,
  ],
  exports: [MonitorHistoryService, MonitorsService],
})
export class MonitorsHttpModule {}
