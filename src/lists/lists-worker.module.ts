import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.module.js';
import { EventsModule } from '../events/events.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { ListsModule } from './lists.module.js';
import { ListEventContent } from './list-changes.service.js';
import { ListRunsService, RunTermsService, ListScheduler } from './list-runs.service.js';

/** Verifies lists again when their time comes. */
@Module({
  imports: [BatchModule, EventsModule, KeysModule, ListsModule],
  providers: [ListEventContent, ListRunsService, ListScheduler, RunTermsService],
})
export class ListsWorkerModule {}
