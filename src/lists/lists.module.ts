import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.module.js';
import { ListChanges } from './schedules/list-changes.service.js';
import { ListChangesStore } from './schedules/list-changes.store.js';
import { SchedulesStore } from './schedules/schedules.store.js';

/** The schedules of lists, and what has changed in them. */
@Module({
  imports: [BatchModule],
  providers: [ListChanges, ListChangesStore, SchedulesStore],
  exports: [ListChanges, ListChangesStore, SchedulesStore],
})
export class ListsModule {}
