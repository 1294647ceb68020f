import { applyDecorators, Controller, Post, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import type { StreamedRequest } from '../../platform/http/bodies/streamed-request.js';
import {
  AgentResultsData,
  BatchDeletedReply,
  BatchPageReply,
  BatchReply,
  BatchTakenData,
  BatchTakenReply,
  ResultsReply,
} from './batch.reply.js';
import { AgentBatchRequest, BatchRequest } from './batch.request.js';
import { PresentBody, RequestShapes } from '../../presenting/present.decorator.js';
import { sentRows, settingsOf } from '../intake/body.js';
import { mediaTypesOf } from '../formats/formats.js';
import { SubmitBatchQuery } from '../intake/submit-query.dto.js';
import { ADDRESSES } from '../model/batch-kind.js';
import { batchRoutes } from './batch-routes.controller.js';

const Routes = batchRoutes(ADDRESSES, {
  list: applyDecorators(
    PresentBody(BatchPageReply),
    ApiOperation({ operationId: 'listBatches', summary: 'Batches of the account, newest first' }),
  ),
  status: applyDecorators(
    PresentBody(BatchReply),
    ApiOperation({ operationId: 'getBatch', summary: 'How far a batch is' }),
  ),
  start: applyDecorators(
    PresentBody(BatchReply),
    ApiErrors('daily_capacity_exhausted'),
    ApiOperation({ operationId: 'startBatch', summary: 'Reserve the credits of a held batch and begin it' }),
  ),
  keep: applyDecorators(
    PresentBody(BatchReply),
    ApiOperation({ operationId: 'keepBatch', summary: 'Choose how long a batch is kept' }),
  ),
  results: applyDecorators(
    PresentBody({ envelope: AgentResultsData, flat: ResultsReply }),
    ApiOperation({
      operationId: 'getBatchResults',
      summary: 'The results of a finished batch, in the order of submission',
    }),
  ),
  remove: applyDecorators(
    PresentBody([BatchReply, BatchDeletedReply]),
    ApiOperation({
      operationId: 'removeBatch',
      summary: 'Cancel a batch that runs, or delete a held or finished one with its addresses',
    }),
  ),
});

@ApiTags('Batch')
@ApiBearerAuth()
@Controller('api/v1/verify/batch')
export class BatchController extends Routes {
  @Post()
  @RouteConfig({ streamsBody: true })
  @PresentBody({ envelope: BatchTakenData, flat: BatchTakenReply }, 201)
  @ApiIdempotencyKey()
  @ApiConsumes(...mediaTypesOf('addresses'))
  @RequestShapes({ envelope: AgentBatchRequest, flat: BatchRequest })
  @ApiErrors(
    'credits_insufficient',
    'ceiling_reached',
    'key_ceiling_reached',
    'daily_capacity_exhausted',
    'too_many_endpoints',
    'too_many_held',
    'too_many_emails',
  )
  @ApiOperation({ operationId: 'submitBatch', summary: 'Verify many addresses' })
  async submit(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest & StreamedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Query() query: SubmitBatchQuery,
  ): Promise<object> {
    const settings = settingsOf(query);
    const taken = await this.batches.submit(
      caller,
      ADDRESSES,
      sentRows(request, caller, 'addresses', settings),
      settings,
      claim,
    );
    const { id, state: status, totalRows, uniqueAddresses, webhook } = taken;
    const [quote] = await this.held.quotesOf(caller, ADDRESSES, [taken]);
    void reply.header('Location', `/api/v1/verify/batch/${id}`);
    const { policy } = caller;
    const endpoint = webhook && { id: webhook.id, url: settings.webhookUrl, secret: webhook.secret };
    const flat = { unique_emails: uniqueAddresses, name: settings.name, webhook: endpoint };
    return { id, status, total_emails: totalRows, ...(policy.shape === 'flat' && flat), ...(quote && { quote }) };
  }
}
