import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type IdempotencyClaim, runInTransaction } from '../../idempotency/idempotency-claim.js';
import { WorkNotifier } from '../../platform/queue/work-notifier.js';
import { WEBHOOK_QUEUE } from '../webhook-queue.js';

/** Changes endpoints and deliveries, and wakes a worker once the change is committed. */
@Injectable()
export class WebhookChangesService {
  constructor(
    private readonly database: DataSource,
    private readonly notifier: WorkNotifier,
  ) {}

  /** Runs a change; with an idempotency claim it is committed together with the kept reply. */
  change<T>(work: (tx: EntityManager) => Promise<T>, claim: IdempotencyClaim | null): Promise<T> {
    return runInTransaction(this.database, claim, work, () => this.notifier.notify(WEBHOOK_QUEUE));
  }
}
