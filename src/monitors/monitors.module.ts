import { Module } from '@nestjs/common';
import { BlacklistsModule } from '../blacklists/blacklists.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { MonitorGauges } from './monitor-gauges.js';
import { MonitorLeases } from './runs/monitor-leases.service.js';
import { MonitorLooks } from './runs/monitor-looks.service.js';
import { MonitorOverview } from './runs/monitor-overview.service.js';
import { MonitorRuns } from './runs/monitor-runs.service.js';
import { MonitorTerms } from './runs/monitor-terms.service.js';
import { RunsStore } from './runs/runs.store.js';

/** Runs monitors. */
@Module({
  imports: [BlacklistsModule, DomainsModule],
  providers: [MonitorGauges, MonitorLeases, MonitorLooks, MonitorOverview, MonitorRuns, MonitorTerms, RunsStore],
  exports: [BlacklistsModule, MonitorLeases, MonitorOverview, MonitorRuns, MonitorTerms, RunsStore],
})
export class MonitorsModule {}
