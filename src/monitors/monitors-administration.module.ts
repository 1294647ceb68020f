import { Module } from '@nestjs/common';
import { MonitorOverview } from './monitor-overview.service.js';
import { RunsStore } from './runs.store.js';

/** What administrators see of monitors and do to them: it needs PostgreSQL alone, because commands have no Redis and ask nobody. */
@Module({ providers: [MonitorOverview, RunsStore], exports: [MonitorOverview, RunsStore] })
export class MonitorsAdministrationModule {}
