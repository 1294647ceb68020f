import { Module } from '@nestjs/common';
import { TIMER, type Timer } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { ConfiguredSources } from './configured-sources.js';
import { KnownConditions, SourceConditionsService } from './source-conditions.service.js';

/** Nest token of the `EgressSources`, which are `ConfiguredSources`. */
export const EGRESS_SOURCES = Symbol('EGRESS_SOURCES');

/** Our own addresses that mail hosts are asked from, and those that administrators have taken out. */
@Module({
  providers: [
    {
      provide: EGRESS_SOURCES,
      inject: [ENV, TIMER],
      useFactory: (env: Env, timer: Timer) => new ConfiguredSources(env, timer),
    },
    KnownConditions,
    SourceConditionsService,
  ],
  exports: [EGRESS_SOURCES, KnownConditions, SourceConditionsService],
})
export class EgressModule {}
