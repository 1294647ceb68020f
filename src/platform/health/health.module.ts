import { Global, Module } from '@nestjs/common';
import { Drain } from './drain.js';
import { HealthController } from './health.controller.js';

@Global()
@Module({ controllers: [HealthController], providers: [Drain], exports: [Drain] })
export class HealthModule {}
