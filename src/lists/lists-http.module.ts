import { Module } from '@nestjs/common';
import { BatchHttpModule } from '../batch/batch-http.module.js';
import { BatchModule } from '../batch/batch.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { ListsModule } from './lists.module.js';
import { AllSchedulesController, SchedulesController, ListsController } from './lists.controller.js';
import { SchedulesService } from './schedules.service.js';
import { ListsService } from './lists.service.js';

/** The routes of lists: completed batches, which their owner sees as named sets of verified addresses. */
@Module({
  imports: [BatchHttpModule, BatchModule, KeysModule, ListsModule],
  controllers: [AllSchedulesController, ListsController, SchedulesController],
  providers: [ListsService, SchedulesService],
  exports: [ListsService, SchedulesService],
})
export class ListsHttpModule {}
