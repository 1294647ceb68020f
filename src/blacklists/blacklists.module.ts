import { Module } from '@nestjs/common';
import { BlacklistCheckHistoryService } from './blacklist-check-history.service.js';
import { ListBudgets, ListQuestionsService } from './list-questions.service.js';
import { ListHealthService } from './list-health.service.js';
import { ListSuspicionsService } from './list-suspicions.service.js';
import { DisabledBlacklists, BlacklistRegistry } from './blacklist-registry.js';

/** Block lists: which may be asked, whether they work, and what they say of a target. */
@Module({
  providers: [
    BlacklistCheckHistoryService,
    ListBudgets,
    ListHealthService,
    ListQuestionsService,
    ListSuspicionsService,
    DisabledBlacklists,
    BlacklistRegistry,
  ],
  exports: [
    BlacklistCheckHistoryService,
    ListHealthService,
    ListQuestionsService,
    ListSuspicionsService,
    DisabledBlacklists,
    BlacklistRegistry,
  ],
})
export class BlacklistsModule {}
