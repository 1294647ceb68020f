import { Module } from '@nestjs/common';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { DomainPatternsService } from './domain-patterns.service.js';
import { DomainPatternsStore } from './domain-patterns.store.js';
import { finderDataProvider, spellerProvider } from './finder-data.provider.js';
import { FinderSearchService } from './finder-search.service.js';

/** What searches and what learns from verdicts: in every process that asks mail servers. */
@Module({
  imports: [SuppressionsModule, VerifyModule],
  providers: [finderDataProvider, spellerProvider, DomainPatternsStore, DomainPatternsService, FinderSearchService],
  exports: [FinderSearchService, DomainPatternsService],
})
export class FinderSearchModule {}
