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
import { mediaTypesOf } from '../formats/formats.js';
import { SubmitBatchQuery } from '../intake/submit-query.dto.js';
import { ADDRESSES } from '../model/batch-kind.js';
import { batchRoutes } from './batch-routes.controller.js';
import { shaped, shapedBody } from '../../presenting/present.decorator.js';
import { Route, Routes } from '../../keys/route.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_CREDITS } from '../../credits/max-credits.js';
import { RETENTION, RETRY_WINDOW, REUSE } from '../formats/sent-body.js';

/* Bodies of requests for batches of addresses, for the documents. */

class AgentBatchRequest {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', maxLength: 1000 },
    minItems: 1,
    description: 'Malformed addresses are answered with `invalid`; repeated ones are charged once.',
  })
  readonly emails: readonly string[];

  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 200, nullable: true })
  readonly name?: string | null;

  @ApiPropertyOptional(MAX_CREDITS)
  readonly max_credits?: number | null;

  @ApiPropertyOptional(REUSE)
  readonly reuse_days?: number | null;

  @ApiPropertyOptional(RETRY_WINDOW)
  readonly retry_window_seconds?: number | null;

  @ApiPropertyOptional(RETENTION)
  readonly retention_days?: number | null;
}

class BatchRequest extends AgentBatchRequest {
  @ApiPropertyOptional({ type: String, format: 'uri', maxLength: 2048, nullable: true })
  readonly webhook_url?: string | null;
}

const AddressBatches = batchRoutes(ADDRESSES, {
  path: 'verify/batch',
  rows: 'addresses',
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
  ) {
    return this.take(caller, request, reply, claim, query);
  }
}
