import { Module } from '@nestjs/common';
import { BlacklistCheckHistoryService } from './blacklist-check-history.service.js';
import { ListBudgets } from './list-budgets.js';
import { ListQuestionsService } from './list-questions.service.js';
import { ListHealthService } from './list-health.service.js';
import { ListSuspicionsService } from './list-suspicions.service.js';
import { DisabledBlacklists, BlacklistRegistry } from './blacklist-registry.js';

const services = [
  BlacklistCheckHistoryService,
  BlacklistRegistry,
  DisabledBlacklists,
  ListHealthService,
  ListQuestionsService,
  ListSuspicionsService,
];

/** Block lists: which may be asked, whether they work, and what they say of a target. */
@Module({ providers: [...services, ListBudgets], exports: services })
export class BlacklistsModule {}
