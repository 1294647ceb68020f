import { Global, Module } from '@nestjs/common';
import { Drain } from './drain.js';
import { HealthController } from './health.controller.js';

/** Whether this process can serve requests, and how many it still serves. */
@Global()
@Module({ controllers: [HealthController], providers: [Drain], exports: [Drain] })
export class HealthHttpModule {}
