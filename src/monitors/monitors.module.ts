import { Module } from '@nestjs/common';
import { BlacklistsModule } from '../blacklists/blacklists.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { MonitorGauges } from './monitor-gauges.js';
import { MonitorsAdministrationModule } from './monitors-administration.module.js';
import { MonitorRuns } from './monitor-runs.service.js';
import { MonitorLooks } from './monitor-probe.js';
import { MonitorTerms } from './monitor-terms.service.js';

/** Runs monitors. */
@Module({
  imports: [BlacklistsModule, DomainsModule, MonitorsAdministrationModule],
  providers: [MonitorGauges, MonitorLooks, MonitorRuns, MonitorTerms],
  exports: [BlacklistsModule, MonitorsAdministrationModule, MonitorRuns, MonitorTerms],
})
export class MonitorsModule {}
