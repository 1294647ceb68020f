import { Process, Processor } from '@nestjs/bull';
import { QUEUES } from '../platform/queue/jobs.js';
import { WebhookWorkService } from './webhook-work.service.js';

/** Hears the bell. */
@Processor(QUEUES.webhooks)
export class WebhookProcessor {
  constructor(private readonly work: WebhookWorkService) {}

  @Process('work')
  async run(): Promise<void> {
    await this.work.wake();
  }
}
