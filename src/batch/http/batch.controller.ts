import { Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import type { StreamedRequest } from '../../platform/http/caller-stream.js';
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
import { sentRows, settingsOf } from '../intake/body.js';
import { mediaTypesOf } from '../formats/formats.js';
import { SubmitBatchQuery } from '../intake/submit-query.dto.js';
import { ADDRESSES } from '../model/batch-kind.js';
import { batchRoutes } from './batch-routes.controller.js';
import { shaped, shapedBody } from '../../presenting/present.decorator.js';
import { Route, Routes } from '../../keys/route.decorator.js';

const AddressBatches = batchRoutes(ADDRESSES, {
  needs: 'batches',
  resultsNeed: ['results'],
  list: ['listBatches', 'Batches of the account, newest first', shaped(BatchPageReply)],
  status: ['getBatch', 'How far a batch is', shaped(BatchReply)],
  start: ['startBatch', 'Reserve the credits of a held batch and begin it', shaped(BatchReply)],
  keep: ['keepBatch', 'Choose how long a batch is kept', shaped(BatchReply)],
  results: [
    'getBatchResults',
    'The results of a finished batch, in the order of submission',
    shaped({ envelope: AgentResultsData, flat: ResultsReply }),
  ],
  remove: [
    'removeBatch',
    'Cancel a batch that runs, or delete a held or finished one with its addresses',
    shaped([BatchReply, BatchDeletedReply]),
  ],
});

@Routes('api/v1/verify/batch', { tag: 'Batch' })
export class BatchController extends AddressBatches {
  @Route.post('', 'submitBatch', 'Verify many addresses', {
    needs: 'batches',
    consumes: [...mediaTypesOf('addresses')],
    body: shapedBody({ envelope: AgentBatchRequest, flat: BatchRequest }),
    created: shaped({ envelope: BatchTakenData, flat: BatchTakenReply }),
    spends: true,
    errors: ['daily_capacity_exhausted', 'too_many_endpoints', 'too_many_held', 'too_many_emails'],
  })
  @RouteConfig({ streamsBody: true })
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
