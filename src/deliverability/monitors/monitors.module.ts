import { Module } from '@nestjs/common';
import { BlacklistsModule } from '../blacklists/blacklists.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { MonitorGauges } from './monitor-gauges.js';
import { MonitorsAdministrationModule } from './monitors-administration.module.js';
import { MonitorRunsService } from './monitor-runs.service.js';
import { MonitorProbe } from './monitor-probe.js';

/** Runs monitors. */
@Module({
  imports: [BlacklistsModule, DomainsModule, MonitorsAdministrationModule],
  providers: [MonitorGauges, MonitorProbe, MonitorRunsService],
  exports: [BlacklistsModule, MonitorsAdministrationModule, MonitorRunsService],
})
export class MonitorsModule {}
