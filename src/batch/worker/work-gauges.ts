import { Injectable } from '@nestjs/common';
import { Gauges } from '../../platform/metrics/gauges.js';
import { BatchWorker } from './batch-worker.js';

/** What this worker has in hand. */
@Injectable()
export class WorkGauges {
  constructor(gauges: Gauges, worker: BatchWorker) {
    gauges.addLocal({
      name: 'mailsonde_batch_addresses_in_work',
      help: 'Addresses and people of batches that this worker has in hand, those that wait for mail hosts included.',
      read: () => [{ value: worker.itemsInHand }],
    });
  }
}
