import { Global, Module } from '@nestjs/common';
import { Drain } from './drain.js';
import { Readiness } from './readiness.js';

/** Whether this process can work, and how many requests it still serves. */
@Global()
@Module({ providers: [Drain, Readiness], exports: [Drain, Readiness] })
export class HealthModule {}
