import { Module } from '@nestjs/common';
import { HOUR_MS, MINUTE_MS } from '../../lib/durations.js';
import { periodically } from '../../platform/periodic-job.js';
import { MonitorsModule } from './monitors.module.js';
import { MonitorTermsService } from './monitor-terms.service.js';
import { MonitorUpkeep } from './monitor-upkeep.js';
import { MonitorSweep } from './monitor-sweep.js';

const FAILURE = 'monitors were not tended';
const LATER = { firstAfterMs: MINUTE_MS };

/** Runs monitors when their time has come, holds them to the terms of their accounts, and forgets their old history. */
@Module({
  imports: [MonitorsModule],
  providers: [
    MonitorSweep,
    MonitorUpkeep,
    periodically(MonitorTermsService, 'applyToAll', MINUTE_MS, FAILURE, LATER),
    periodically(MonitorUpkeep, 'forget', HOUR_MS, FAILURE, LATER),
  ],
})
export class MonitorsWorkerModule {}
