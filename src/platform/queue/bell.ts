import { Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import type { WorkJob } from './jobs.js';

/** Bells that nobody has heard yet: more of them would wake no further worker. */
const MOST_WAITING = 64;

/** Wakes workers. A bell that is not heard costs seconds: each worker's sweep looks into the tables by itself. */
export class Bell {
  private readonly logger = new Logger(Bell.name);

  constructor(private readonly queue: Queue<WorkJob>) {}

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
      this.logger.warn(`the bell of ${this.queue.name} did not ring: ${(error as Error).message}`);
    }
  }
}
