import { Module } from '@nestjs/common';
import { ENV, type Env } from '../platform/config/env.js';
import { egressSources } from './egress-sources.js';
import { KnownConditions } from './known-conditions.js';
import { SourceConditionStore } from './source-condition.store.js';
import { SourceConditionsService } from './source-conditions.service.js';

/** Nest token of the `EgressSources`. */
export const EGRESS_SOURCES = Symbol('EGRESS_SOURCES');

/** Our own addresses that mail hosts are asked from, and those that administrators have taken out. */
@Module({
  providers: [
    { provide: EGRESS_SOURCES, inject: [ENV], useFactory: (env: Env) => egressSources(env) },
    KnownConditions,
    SourceConditionStore,
    SourceConditionsService,
  ],
  exports: [EGRESS_SOURCES, KnownConditions, SourceConditionsService],
})
export class EgressModule {}
