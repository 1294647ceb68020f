import { Process, Processor } from '@nestjs/bull';
import { WEBHOOK_QUEUE } from '../webhook-queue.js';
import { WebhookWorker } from './webhook-worker.js';

/** Wakes the worker loop when a delivery is due. */
@Processor(WEBHOOK_QUEUE)
export class WebhookProcessor {
  constructor(private readonly worker: WebhookWorker) {}

  @Process('work')
  async run(): Promise<void> {
    await this.worker.wake();
  }
}
