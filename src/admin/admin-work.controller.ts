import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RequireAdmin } from '../keys/audience.js';
import { BatchIdParam, UuidParam } from '../platform/http/id-params.js';
import { type Actor, Administrator } from './actor.js';
import { pageReply, type Reply } from './admin-replies.js';
import { WorkAdministrationService } from './work-administration.service.js';
import { BatchesQuery, DeliveriesQuery, filterOf } from './work-input.js';
import { workBatchReply, workDeliveryReply } from './work-replies.js';

/** Batches and deliveries of all accounts. */
@RequireAdmin()
@ApiExcludeController()
@Controller('admin/v1')
export class AdminWorkController {
  constructor(private readonly work: WorkAdministrationService) {}

  @Get('batches')
  async listBatches(@Query() query: BatchesQuery): Promise<Reply> {
    const page = await this.work.listBatches(query.account_id ?? null, query.status ?? null, query);
    return pageReply('batches', page, workBatchReply);
  }

  @Post('batches/:id/retry')
  @HttpCode(200)
  async retryBatch(@Administrator() actor: Actor, @BatchIdParam() id: number): Promise<Reply> {
    return workBatchReply(await this.work.retryBatch(actor, id));
  }

  @Get('deliveries')
  async listDeliveries(@Query() query: DeliveriesQuery): Promise<Reply> {
    return pageReply('deliveries', await this.work.listDeliveries(filterOf(query), query), workDeliveryReply);
  }

  @Post('deliveries/:id/retry')
  @HttpCode(200)
  async retryDelivery(@Administrator() actor: Actor, @UuidParam('delivery_not_found') id: string): Promise<Reply> {
    return workDeliveryReply(await this.work.retryDelivery(actor, id));
  }
}
