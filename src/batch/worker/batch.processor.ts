import { Process, Processor } from '@nestjs/bull';
import { BATCH_QUEUE } from '../model/batch-queue.js';
import { BatchWorker } from './batch-worker.js';

/**
 * Takes notifications of work from the queue. A job lasts as long as the worker finds work or waits for room: the process takes no second
 * notification meanwhile, and the queue gives it to another process.
 */
@Processor(BATCH_QUEUE)
export class BatchProcessor {
  constructor(private readonly worker: BatchWorker) {}

  @Process('work')
  async run(): Promise<void> {
    await this.worker.wake();
  }
}
