import { Module } from '@nestjs/common';
import { MonitorsModule } from './monitors.module.js';
import { MonitorRetention, MonitorUpkeep } from './monitor-upkeep.js';
import { MonitorSweep } from './monitor-sweep.js';

/** Runs monitors when their time has come, and tends them. */
@Module({ imports: [MonitorsModule], providers: [MonitorRetention, MonitorSweep, MonitorUpkeep] })
export class MonitorsWorkerModule {}
