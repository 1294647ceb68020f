import { Module } from '@nestjs/common';
import { BatchHttpModule } from '../batch/batch-http.module.js';
import { ListsController } from './lists.controller.js';
import { ListsService } from './lists.service.js';

/** The routes of lists: completed batches, which their owner sees as named sets of verified addresses. */
@Module({
  imports: [BatchHttpModule],
  controllers: [ListsController],
  providers: [ListsService],
  exports: [ListsService],
})
export class ListsHttpModule {}
