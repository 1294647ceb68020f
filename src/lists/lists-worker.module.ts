import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.module.js';
import { EventsModule } from '../events/events.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { ListsModule } from './lists.module.js';
import { ListEventContent } from './schedules/list-event-content.js';
import { ListRuns } from './schedules/list-runs.service.js';
import { RunTerms } from './schedules/run-terms.service.js';
import { ListScheduler } from './schedules/list-scheduler.js';

/** Verifies lists again when their time comes. */
@Module({
  imports: [BatchModule, EventsModule, KeysModule, ListsModule],
  providers: [ListEventContent, ListRuns, ListScheduler, RunTerms],
})
export class ListsWorkerModule {}
