import { Module } from '@nestjs/common';
import { DomainChecker } from './domain-checker.service.js';

/** Looks at what domains publish about their mail. */
@Module({
  providers: [DomainChecker],
  exports: [DomainChecker],
})
export class DomainsModule {}
