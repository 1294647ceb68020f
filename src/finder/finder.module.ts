import { Module } from '@nestjs/common';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { VerifyModule } from '../verify/verify.module.js';
import { FinderSearchService } from './finder.service.js';
import { DomainPatternsService } from './domain-patterns.service.js';
import { finderDataProvider, spellerProvider } from './finder-data.provider.js';

/** The search for addresses of people, which learns from verdicts: in every process that asks mail servers. */
@Module({
  imports: [SuppressionsModule, VerifyModule],
  providers: [DomainPatternsService, finderDataProvider, FinderSearchService, spellerProvider],
  exports: [DomainPatternsService, FinderSearchService],
})
export class FinderModule {}
