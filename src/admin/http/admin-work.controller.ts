import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireAdmin } from '../../keys/access/audience.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { BatchIdParam } from '../../batch/http/batch-id.js';
import { UuidParam } from '../../platform/http/id-params.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { InTurn } from '../../keys/limits/in-turn.interceptor.js';
import { type Actor, Administrator } from '../actor.js';
import { pageReply } from '../bodies/page-reply.js';
import { WorkAdministrationService } from '../work-administration.service.js';
import {
  WorkBatchPageReply,
  WorkBatchReply,
  workBatchReply,
  WorkDeliveryPageReply,
  WorkDeliveryReply,
  workDeliveryReply,
} from '../bodies/work.reply.js';
import { BatchesQuery, DeliveriesQuery, filterOf } from '../bodies/work.dto.js';

/** Batches and deliveries of all accounts. */
@ApiTags('Work')
@ApiBearerAuth()
@RequireAdmin()
@InTurn()
@Controller('admin/v1')
export class AdminWorkController {
  constructor(private readonly work: WorkAdministrationService) {}

  @Get('batches')
  @ApiOperation({ operationId: 'listAllBatches', summary: 'Batches of all accounts, newest first' })
  @ApiOkResponse({ type: WorkBatchPageReply })
  async listBatches(@Query() query: BatchesQuery): Promise<WorkBatchPageReply> {
    const page = await this.work.listBatches(query.account_id ?? null, query.status ?? null, query);
    return pageReply('batches', page, workBatchReply);
  }

  @Get('batches/:id')
  @ApiErrors('batch_not_found')
  @ApiOperation({ operationId: 'getAnyBatch', summary: 'A batch, whosever it is' })
  @ApiOkResponse({ type: WorkBatchReply })
  async showBatch(@BatchIdParam() id: number): Promise<WorkBatchReply> {
    return workBatchReply(await this.work.getBatch(id));
  }

  @Post('batches/:id/retry')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('batch_not_found', 'batch_not_failed', 'credits_insufficient')
  @ApiOperation({ operationId: 'retryBatch', summary: 'Go on with a failed batch' })
  @ApiOkResponse({ type: WorkBatchReply })
  async retryBatch(@Administrator() actor: Actor, @BatchIdParam() id: number): Promise<WorkBatchReply> {
    return workBatchReply(await this.work.retryBatch(actor, id));
  }

  @Get('deliveries')
  @ApiOperation({ operationId: 'listAllDeliveries', summary: 'Webhook deliveries of all accounts, newest first' })
  @ApiOkResponse({ type: WorkDeliveryPageReply })
  async listDeliveries(@Query() query: DeliveriesQuery): Promise<WorkDeliveryPageReply> {
    return pageReply('deliveries', await this.work.listDeliveries(filterOf(query), query), workDeliveryReply);
  }

  @Post('deliveries/:id/retry')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('delivery_not_found', 'endpoint_disabled')
  @ApiOperation({ operationId: 'retryDelivery', summary: 'Send a delivery again' })
  @ApiOkResponse({ type: WorkDeliveryReply })
  async retryDelivery(
    @Administrator() actor: Actor,
    @UuidParam('delivery_not_found') id: string,
  ): Promise<WorkDeliveryReply> {
    return workDeliveryReply(await this.work.retryDelivery(actor, id));
  }
}
