import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.module.js';
import { ListChangesService } from './list-changes.service.js';
import { SchedulesStore } from './schedules.store.js';

/** The schedules of lists, and what has changed in them. */
@Module({
  imports: [BatchModule],
  providers: [ListChangesService, SchedulesStore],
  exports: [ListChangesService, SchedulesStore],
})
export class ListsModule {}
