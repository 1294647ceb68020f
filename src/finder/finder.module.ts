import { Module } from '@nestjs/common';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { FinderSearchService } from './finder-search.service.js';
import { DomainPatternsService } from './patterns/domain-patterns.service.js';
import { DomainPatternsStore } from './patterns/domain-patterns.store.js';
import { finderDataProvider, spellerProvider } from './spelling/finder-data.provider.js';

/** The search for addresses of people, which learns from verdicts: in every process that asks mail servers. */
@Module({
  imports: [SuppressionsModule, VerifyModule],
  providers: [DomainPatternsService, DomainPatternsStore, finderDataProvider, FinderSearchService, spellerProvider],
  exports: [DomainPatternsService, FinderSearchService],
})
export class FinderModule {}
