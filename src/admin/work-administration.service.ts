import { Injectable } from '@nestjs/common';
import { type Batch, BatchAdministrationService } from '../batch/batch-administration.service.js';
import type { BatchState } from '../batch/model/batch.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import {
  type Delivery,
  WebhookAdministrationService,
  type DeliveryFilter,
  type DeliveryQueue,
} from '../webhooks/webhook-administration.service.js';
import { type BatchQueue, type RegionWithoutWorker, type Worker, WorkersService } from '../batch/workers.service.js';
import { type MachinePort25, Port25States } from '../operators/port25-states.service.js';
import type { Actor } from './actor.js';
import { AuditService } from './audit.service.js';

export type { Batch };

/** Who works, what waits, and whether mail hosts can be reached. */
export interface Workload {
  readonly workers: readonly Worker[];
  readonly queue: BatchQueue;
  readonly unworked: readonly RegionWithoutWorker[];
  readonly deliveries: DeliveryQueue;
  readonly port25: readonly MachinePort25[];
}

/** The acts of administrators on work that runs by itself: batches, and deliveries to webhooks. */
@Injectable()
export class WorkAdministrationService {
  constructor(
    private readonly batches: BatchAdministrationService,
    private readonly deliveries: WebhookAdministrationService,
    private readonly workers: WorkersService,
    private readonly port25: Port25States,
    private readonly audit: AuditService,
  ) {}

  async getWorkload(): Promise<Workload> {
    const [workers, queue, unworked, deliveries, port25] = await Promise.all([
      this.workers.list(),
      this.workers.queue(),
      this.workers.regionsWithoutWorker(),
      this.deliveries.queue(),
      this.port25.list(),
    ]);
    return { workers, queue, unworked, deliveries, port25 };
  }

  listBatches(accountId: string | null, state: BatchState | null, query: PageQuery): Promise<Page<Batch>> {
    return this.batches.list(accountId, state, query);
  }

  /** @throws AppError `batch_not_found` */
  async getBatch(id: number): Promise<Batch> {
    const batch = await this.batches.find(id);
    if (batch === null) throw new AppError('batch_not_found');
    return batch;
  }

  /** @throws AppError `batch_not_found`, `batch_not_failed`, `credits_insufficient` */
  retryBatch(actor: Actor, id: number): Promise<Batch> {
    return this.audit.audited(
      actor,
      'batch.retry',
      (tx) => this.batches.retry(tx, id),
      ({ accountId }) => ({ accountId, details: { batch_id: id } }),
    );
  }

  listDeliveries(filter: DeliveryFilter, query: PageQuery): Promise<Page<Delivery>> {
    return this.deliveries.list(filter, query);
  }

  /** @throws AppError `delivery_not_found`, `endpoint_disabled` */
  retryDelivery(actor: Actor, id: string): Promise<Delivery> {
    return this.audit.audited(
      actor,
      'delivery.retry',
      (tx) => this.deliveries.retry(tx, id),
      ({ accountId, endpointId, type }) => ({
        accountId,
        details: { delivery_id: id, webhook_id: endpointId, type },
      }),
    );
  }
}
