import { InjectQueue } from '@nestjs/bull';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bull';
import { Bell } from './bell.js';
import { QUEUES, type WorkJob } from './jobs.js';

/** Wakes a worker that delivers to webhooks. */
@Injectable()
export class WebhookBell extends Bell {
  constructor(@InjectQueue(QUEUES.webhooks) queue: Queue<WorkJob>) {
    super(queue);
  }
}
