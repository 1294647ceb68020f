import { Module } from '@nestjs/common';
import { HealthModule } from '../health/health.module.js';
import { MetricsModule } from './metrics.module.js';
import { MetricsServer } from './metrics-server.js';
import { ServerGauges } from './server-gauges.js';

/** The port on which a process of the service shows its numbers. */
@Module({ imports: [HealthModule, MetricsModule], providers: [MetricsServer, ServerGauges] })
export class MetricsHttpModule {}
