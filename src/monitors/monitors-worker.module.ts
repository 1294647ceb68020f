import { Module } from '@nestjs/common';
import { MonitorsModule } from './monitors.module.js';
import { MonitorHistory } from './worker/monitor-history.js';
import { MonitorSweep } from './worker/monitor-sweep.js';
import { MonitorUpkeep } from './worker/monitor-upkeep.js';

/** Runs monitors when their time has come, and tends them. */
@Module({ imports: [MonitorsModule], providers: [MonitorHistory, MonitorSweep, MonitorUpkeep] })
export class MonitorsWorkerModule {}
