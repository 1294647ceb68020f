import { Module } from '@nestjs/common';
import { MonitorsModule } from './monitors.module.js';
import { MonitorUpkeep } from './monitor-upkeep.js';
import { MonitorSweep } from './monitor-sweep.js';

/** Runs monitors when their time has come, and tends them. */
@Module({ imports: [MonitorsModule], providers: [MonitorSweep, MonitorUpkeep] })
export class MonitorsWorkerModule {}
