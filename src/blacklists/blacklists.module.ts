import { Module } from '@nestjs/common';
import { BlacklistChecksStore } from './blacklist-checks.store.js';
import { KeptChecks } from './kept-checks.service.js';
import { ListBudgets } from './list-budgets.js';
import { ListHealthService } from './list-health.service.js';
import { ListQuestions } from './list-questions.service.js';
import { ListSuspicions } from './suspicions/list-suspicions.service.js';
import { ListWorld } from './list-world.js';

/** Block lists: which may be asked, whether they work, and what they say of a target. */
@Module({
  providers: [
    BlacklistChecksStore,
    KeptChecks,
    ListBudgets,
    ListHealthService,
    ListQuestions,
    ListSuspicions,
    ListWorld,
  ],
  exports: [BlacklistChecksStore, KeptChecks, ListHealthService, ListQuestions, ListSuspicions, ListWorld],
})
export class BlacklistsModule {}
