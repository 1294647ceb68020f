import { Global, Module } from '@nestjs/common';
import { Gauges } from './gauges.js';

/** Where feature modules say which states they can be asked for. Programs without a port of metrics have it too, and nobody asks there. */
@Global()
@Module({ providers: [Gauges], exports: [Gauges] })
export class MetricsModule {}
