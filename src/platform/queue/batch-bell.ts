import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { type BatchWorkJob, QUEUES } from './jobs.js';

/** Bells that nobody has heard yet: more of them would wake no further worker. */
const MOST_WAITING = 64;

/** Wakes the workers of batches. A bell that is not heard costs seconds: the sweep looks into the tables and rings again. */
@Injectable()
export class BatchBell {
  private readonly logger = new Logger(BatchBell.name);

  constructor(@InjectQueue(QUEUES.batch) private readonly queue: Queue<BatchWorkJob>) {}

  /**
   * Call when what it tells of is committed. Never rejects.
   * @param times workers that find something to do
   */
  async ring(times: number): Promise<void> {
    try {
      const missing = Math.min(times, MOST_WAITING) - (await this.queue.getWaitingCount());
      if (missing <= 0) return;
      await this.queue.addBulk(Array.from({ length: missing }, () => ({ name: 'work', data: { v: 1 } as const })));
    } catch (error) {
      this.logger.warn(`the bell of the batches did not ring: ${(error as Error).message}`);
    }
  }
}
