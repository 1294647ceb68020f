import { Param, Query } from '@nestjs/common';
import { type Actor, Administrator } from '../actor.js';
import { WorkAdministrationService } from '../work-administration.service.js';
import { BatchesQuery, DeliveriesQuery, filterOf } from '../bodies/work.dto.js';
import {
  WorkBatchPageReply,
  WorkBatchReply,
  workBatchReply,
  WorkDeliveryPageReply,
  WorkDeliveryReply,
  workDeliveryReply,
} from '../bodies/work.reply.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { pageReply } from '../../platform/http/page.js';
import { UuidParam } from '../../platform/http/id-params.js';
import { readId } from '../../platform/http/ids.js';

/** The documents of administrators call it any number. */
const BatchId = Param('id', { transform: (text: string) => readId(text, 'batch_not_found') });

/** Batches and deliveries of all accounts. */
@AdminRoutes('', { tag: 'Work', inTurn: true })
export class AdminWorkController {
  constructor(private readonly work: WorkAdministrationService) {}

  @AdminRoute.get('batches', 'listAllBatches', 'Batches of all accounts, newest first', {
    needs: 'read',
    ok: WorkBatchPageReply,
  })
  async listBatches(@Query() query: BatchesQuery): Promise<WorkBatchPageReply> {
    const page = await this.work.listBatches(query.account_id ?? null, query.status ?? null, query);
    return pageReply('batches', page, workBatchReply);
  }

  @AdminRoute.get('batches/:id', 'getAnyBatch', 'A batch, whosever it is', {
    needs: 'read',
    ok: WorkBatchReply,
    errors: ['batch_not_found'],
  })
  async showBatch(@BatchId id: number): Promise<WorkBatchReply> {
    return workBatchReply(await this.work.getBatch(id));
  }

  @AdminRoute.post('batches/:id/retry', 'retryBatch', 'Go on with a failed batch', {
    needs: 'support',
    ok: WorkBatchReply,
    errors: ['batch_not_found', 'batch_not_failed', 'credits_insufficient'],
  })
  async retryBatch(@Administrator() actor: Actor, @BatchId id: number): Promise<WorkBatchReply> {
    return workBatchReply(await this.work.retryBatch(actor, id));
  }

  @AdminRoute.get('deliveries', 'listAllDeliveries', 'Webhook deliveries of all accounts, newest first', {
    needs: 'read',
    ok: WorkDeliveryPageReply,
  })
  async listDeliveries(@Query() query: DeliveriesQuery): Promise<WorkDeliveryPageReply> {
    return pageReply('deliveries', await this.work.listDeliveries(filterOf(query), query), workDeliveryReply);
  }

  @AdminRoute.post('deliveries/:id/retry', 'retryDelivery', 'Send a delivery again', {
    needs: 'support',
    ok: WorkDeliveryReply,
    errors: ['endpoint_disabled'],
  })
  async retryDelivery(
    @Administrator() actor: Actor,
    @UuidParam('delivery_not_found') id: string,
  ): Promise<WorkDeliveryReply> {
    return workDeliveryReply(await this.work.retryDelivery(actor, id));
  }
}
