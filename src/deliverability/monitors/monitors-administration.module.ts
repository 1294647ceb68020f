import { Module } from '@nestjs/common';
import { MonitorOverviewService } from './monitor-overview.service.js';
import { MonitorTermsService } from './monitor-terms.service.js';
import { RunsStore } from './runs.store.js';

/** What administrators see of monitors and do to them: it needs PostgreSQL alone, because commands have no Redis and ask nobody. */
@Module({
  providers: [MonitorOverviewService, MonitorTermsService, RunsStore],
  exports: [MonitorOverviewService, MonitorTermsService, RunsStore],
})
export class MonitorsAdministrationModule {}
