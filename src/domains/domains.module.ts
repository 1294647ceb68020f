import { Module } from '@nestjs/common';
import { EgressModule } from '../egress/egress.module.js';
import { OptOutsModule } from '../opt-outs/opt-outs.module.js';
import { DomainChecker } from './domain-checker.service.js';
import { DomainChecksStore } from './domain-checks.store.js';
import { KeptDomainChecks } from './kept-domain-checks.service.js';

/** Looks at what domains publish about their mail, and what was found before. */
@Module({
  imports: [EgressModule, OptOutsModule],
  providers: [DomainChecker, DomainChecksStore, KeptDomainChecks],
  exports: [DomainChecker, DomainChecksStore, KeptDomainChecks],
})
export class DomainsModule {}
