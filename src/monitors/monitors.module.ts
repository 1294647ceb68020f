import { Module } from '@nestjs/common';
import { BlacklistsModule } from '../blacklists/blacklists.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { MonitorGauges } from './monitor-gauges.js';
import { MonitorsAdministrationModule } from './monitors-administration.module.js';
import { MonitorLeases } from './runs/monitor-leases.service.js';
import { MonitorLooks } from './runs/monitor-looks.service.js';
import { MonitorRuns } from './runs/monitor-runs.service.js';
import { MonitorTerms } from './runs/monitor-terms.service.js';

/** Runs monitors. */
@Module({
  imports: [BlacklistsModule, DomainsModule, MonitorsAdministrationModule],
  providers: [MonitorGauges, MonitorLeases, MonitorLooks, MonitorRuns, MonitorTerms],
  exports: [BlacklistsModule, MonitorLeases, MonitorsAdministrationModule, MonitorRuns, MonitorTerms],
})
export class MonitorsModule {}
