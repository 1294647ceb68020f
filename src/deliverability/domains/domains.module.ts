import { Module } from '@nestjs/common';
import { EGRESS_SOURCES, EgressModule } from '../../sending/egress/egress.module.js';
import type { EgressSources } from '../../sending/egress/egress-sources.js';
import { KnownConditions } from '../../sending/egress/source-conditions.service.js';
import { OptedOut } from '../../sending/opt-outs/opted-out.js';
import { OptOutsModule } from '../../sending/opt-outs/opt-outs.module.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { DomainCheckerService } from './domain-checker.service.js';
import { DomainCheckHistoryService } from './domain-check-history.service.js';
import { DomainOutside } from './domain-outside.js';

function openOutside(env: Env, sources: EgressSources, conditions: KnownConditions, leftAlone: OptedOut) {
  return new DomainOutside(env, {
    source: () =>
      sources.own.find(({ name, operators }) => operators === null && conditions.of(name) === 'open') ?? null,
    isOptedOut: (host) => leftAlone.covers('', [{ name: host }]),
  });
}

/** Looks at what domains publish about their mail, and what was found before. */
@Module({
  imports: [EgressModule, OptOutsModule],
  providers: [
    DomainCheckerService,
    DomainCheckHistoryService,
    { provide: DomainOutside, inject: [ENV, EGRESS_SOURCES, KnownConditions, OptedOut], useFactory: openOutside },
  ],
  exports: [DomainCheckerService, DomainCheckHistoryService],
})
export class DomainsModule {}
