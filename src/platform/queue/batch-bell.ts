import { InjectQueue } from '@nestjs/bull';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bull';
import { Bell } from './bell.js';
import { QUEUES, type WorkJob } from './jobs.js';

/** Wakes the workers of batches. */
@Injectable()
export class BatchBell extends Bell {
  constructor(@InjectQueue(QUEUES.batch) queue: Queue<WorkJob>) {
    super(queue);
  }
}
