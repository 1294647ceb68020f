import { Process, Processor } from '@nestjs/bull';
import { QUEUES } from '../platform/queue/jobs.js';
import { BatchWorkService } from './batch-work.service.js';

/** Hears the bell. While this process has its hands full it keeps the one it heard, and the next is for another process. */
@Processor(QUEUES.batch)
export class BatchProcessor {
  constructor(private readonly work: BatchWorkService) {}

  @Process('work')
  async run(): Promise<void> {
    await this.work.wake();
  }
}
