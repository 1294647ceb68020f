import { Module } from '@nestjs/common';
import { MonitorsModule } from './monitors.module.js';
import { MonitorRetention } from './worker/monitor-retention.js';
import { MonitorSweep } from './worker/monitor-sweep.js';
import { MonitorUpkeep } from './worker/monitor-upkeep.js';

/** Runs monitors when their time has come, and tends them. */
@Module({ imports: [MonitorsModule], providers: [MonitorRetention, MonitorSweep, MonitorUpkeep] })
export class MonitorsWorkerModule {}
