import { Module } from '@nestjs/common';
import { BlacklistCheckHistoryService } from './blacklist-check-history.service.js';
import { ListBudgets, ListQuestions } from './list-questions.service.js';
import { ListHealthService } from './list-health.service.js';
import { ListSuspicions } from './list-suspicions.service.js';
import { ListSwitches, ListWorld } from './blacklist-registry.js';

/** Block lists: which may be asked, whether they work, and what they say of a target. */
@Module({
  providers: [
    BlacklistCheckHistoryService,
    ListBudgets,
    ListHealthService,
    ListQuestions,
    ListSuspicions,
    ListSwitches,
    ListWorld,
  ],
  exports: [BlacklistCheckHistoryService, ListHealthService, ListQuestions, ListSuspicions, ListSwitches, ListWorld],
})
export class BlacklistsModule {}
