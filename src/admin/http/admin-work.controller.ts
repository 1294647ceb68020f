import { Param, Query } from '@nestjs/common';
import { type Actor, Administrator } from '../actor.js';
import { BatchAdministrationService } from '../../batch/batch-administration.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import { WebhookAdministrationService } from '../../webhooks/webhook-administration.service.js';
import { AuditService } from '../audit.service.js';
import {
  WorkBatchPageReply,
  WorkBatchReply,
  workBatchReply,
  WorkDeliveryPageReply,
  WorkDeliveryReply,
  workDeliveryReply,
} from '../bodies/work.reply.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { pageReply, PageQuery } from '../../platform/http/page.js';
import { UuidParam } from '../../platform/http/id-params.js';
import { readId } from '../../platform/http/ids.js';
import { BATCH_STATES, type BatchState } from '../../batch/model/batch.js';
import { DELIVERY_STATES, type DeliveryState } from '../../webhooks/delivery-state.js';
import { OptionalOneOf, OptionalUuid } from '../../platform/http/fields.js';

class BatchesQuery extends PageQuery {
  @OptionalUuid()
  readonly account_id?: string;

  @OptionalOneOf(BATCH_STATES)
  readonly status?: BatchState;
}

class DeliveriesQuery extends PageQuery {
  @OptionalUuid()
  readonly account_id?: string;

  @OptionalUuid()
  readonly webhook_id?: string;

  @OptionalOneOf(DELIVERY_STATES)
  readonly status?: DeliveryState;
}

function filterOf({ account_id, webhook_id, status }: DeliveriesQuery) {
  return { accountId: account_id ?? null, endpointId: webhook_id ?? null, state: status ?? null };
}

/** The documents of administrators call it any number. */
const BatchId = Param('id', { transform: (text: string) => readId(text, 'batch_not_found') });

/** Batches and deliveries of all accounts. */
@AdminRoutes('', { tag: 'Work', inTurn: 'work' })
export class AdminWorkController {
  constructor(
    private readonly batches: BatchAdministrationService,
    private readonly deliveries: WebhookAdministrationService,
    private readonly audit: AuditService,
  ) {}

  @AdminRoute.get('batches', 'listAllBatches', 'Batches of all accounts, newest first', {
    needs: 'read',
    ok: WorkBatchPageReply,
  })
  async listBatches(@Query() query: BatchesQuery) {
    const page = await this.batches.list(query.account_id ?? null, query.status ?? null, query);
    return pageReply('batches', page, workBatchReply);
  }

  @AdminRoute.get('batches/:id', 'getAnyBatch', 'A batch, whosever it is', {
    needs: 'read',
    ok: WorkBatchReply,
    errors: ['batch_not_found'],
  })
  async showBatch(@BatchId id: number) {
    const batch = await this.batches.find(id);
    if (batch === null) throw new AppError('batch_not_found');
    return workBatchReply(batch);
  }

  @AdminRoute.post('batches/:id/retry', 'retryBatch', 'Go on with a failed batch', {
    needs: 'support',
    ok: WorkBatchReply,
    errors: ['batch_not_found', 'batch_not_failed', 'credits_insufficient'],
  })
  async retryBatch(@Administrator() actor: Actor, @BatchId id: number) {
    const batch = await this.audit.audited(
      actor,
      'batch.retry',
      (tx) => this.batches.retry(tx, id),
      ({ accountId }) => ({ accountId, details: { batch_id: id } }),
    );
    return workBatchReply(batch);
  }

  @AdminRoute.get('deliveries', 'listAllDeliveries', 'Webhook deliveries of all accounts, newest first', {
    needs: 'read',
    ok: WorkDeliveryPageReply,
  })
  async listDeliveries(@Query() query: DeliveriesQuery) {
    return pageReply('deliveries', await this.deliveries.list(filterOf(query), query), workDeliveryReply);
  }

  @AdminRoute.post('deliveries/:id/retry', 'retryDelivery', 'Send a delivery again', {
    needs: 'support',
    ok: WorkDeliveryReply,
    errors: ['endpoint_disabled'],
  })
  async retryDelivery(@Administrator() actor: Actor, @UuidParam('delivery_not_found') id: string) {
    const delivery = await this.audit.audited(
      actor,
      'delivery.retry',
      (tx) => this.deliveries.retry(tx, id),
      ({ accountId, endpointId, type }) => ({
        accountId,
        details: { delivery_id: id, webhook_id: endpointId, type },
      }),
    );
    return workDeliveryReply(delivery);
  }
}
