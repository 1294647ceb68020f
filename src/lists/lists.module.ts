import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.module.js';
import { ListsController } from './lists.controller.js';
import { ListsService } from './lists.service.js';

/** Completed batches as what they are to their owner: named sets of verified addresses. */
@Module({
  imports: [BatchModule],
  controllers: [ListsController],
  providers: [ListsService],
  exports: [ListsService],
})
export class ListsModule {}
