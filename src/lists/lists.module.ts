import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.module.js';
import { ListChanges, ListChangesStore } from './list-changes.service.js';
import { SchedulesStore } from './schedules.store.js';

/** The schedules of lists, and what has changed in them. */
@Module({
  imports: [BatchModule],
  providers: [ListChanges, ListChangesStore, SchedulesStore],
  exports: [ListChanges, ListChangesStore, SchedulesStore],
})
export class ListsModule {}
