import { Module } from '@nestjs/common';
import { ENV, type Env } from '../platform/config/env.js';
import { egressSources } from './egress-sources.js';

/** Nest token of the `EgressSources`. */
export const EGRESS_SOURCES = Symbol('EGRESS_SOURCES');

/** Our own addresses that mail hosts are asked from. */
@Module({
  providers: [{ provide: EGRESS_SOURCES, inject: [ENV], useFactory: (env: Env) => egressSources(env) }],
  exports: [EGRESS_SOURCES],
})
export class EgressModule {}
