import { Module } from '@nestjs/common';
import { DomainChecker } from './domain-checker.service.js';
import { DomainChecksStore } from './domain-checks.store.js';
import { KeptDomainChecks } from './kept-domain-checks.service.js';

/** Looks at what domains publish about their mail, and what was found before. */
@Module({
  providers: [DomainChecker, DomainChecksStore, KeptDomainChecks],
  exports: [DomainChecker, DomainChecksStore, KeptDomainChecks],
})
export class DomainsModule {}
