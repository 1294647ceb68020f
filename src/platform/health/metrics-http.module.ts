import { Module } from '@nestjs/common';
import { HealthModule } from './health.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { MetricsServer } from './metrics-server.js';
import { ReplicaGauges } from '../database/read-database.js';
import { ServerGauges } from './server-gauges.js';

/** The port on which a process of the service shows its numbers. */
@Module({ imports: [HealthModule, MetricsModule], providers: [MetricsServer, ReplicaGauges, ServerGauges] })
export class MetricsHttpModule {}
