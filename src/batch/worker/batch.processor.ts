import { Process, Processor } from '@nestjs/bull';
import { Injectable } from '@nestjs/common';
import { Gauges } from '../../platform/metrics/gauges.js';
import { BATCH_QUEUE } from '../model/batch.js';
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

/** What this worker has in hand. */
@Injectable()
export class WorkGauges {
  constructor(gauges: Gauges, worker: BatchWorker) {
    gauges.addLocal({
      name: 'mailsonde_batch_addresses_in_work',
      help: 'Addresses and people of batches that this worker has in hand, those that wait for mail hosts included.',
      read: () => worker.itemsInHand,
    });
  }
}
