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
import { PREVIEWED, sentPreview, settingsOf } from '../intake/body.js';
import { PreviewBatchQuery, SubmitBatchQuery } from '../intake/submit-query.dto.js';
import { ADDRESSES } from '../model/batch-kind.js';
import { batchRoutes } from './batch-routes.controller.js';
import { shaped, shapedBody } from '../../presenting/present.decorator.js';
import { Route, Routes } from '../../keys/route.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_CREDITS } from '../../credits/max-credits.js';
import { DELIMITER_NAMES, RETENTION, RETRY_WINDOW, REUSE } from '../formats/sent-body.js';
import { field, Reply, replyOf } from '../../platform/http/reply.js';

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

class SheetReply extends Reply({
  name: field.text(),
  is_hidden: field.boolean(),
}) {}

class BatchPreviewReply extends Reply({
  content_type: field.text('As what the whole file is to be sent.'),
  charset: field.textOrNull('Of a text.'),
  delimiter: field.oneOfOrNull(DELIMITER_NAMES, 'Of a CSV.'),
  sheets: field.of<readonly SheetReply[] | null>({
    type: [SheetReply],
    nullable: true,
    description: 'Of an Excel workbook; null for a text.',
  }),
  sheet: field.textOrNull(
    'The one that is read; null for a text, and when `sheet` must name the one with the addresses.',
  ),
  has_header: field.boolean('Whether the first row has names.'),
  columns: field.texts('The names of the columns; one without a name is called by its number.'),
  email_column: field.countOrNull(
    'The number of the column with the addresses, from 1; null when `email_column` must name it.',
  ),
  candidates: field.of<readonly number[]>({
    type: 'array',
    items: { type: 'integer' },
    description: 'The numbers of the columns with addresses.',
  }),
  rows: field.of<readonly (readonly string[])[]>({
    type: 'array',
    items: { type: 'array', items: { type: 'string' } },
    description: 'The first 20 rows behind the names; long cells are shortened.',
  }),
}) {}

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

  @Route.post('preview', 'previewBatch', 'How a table would be read: its columns, and the one with the addresses', {
    description:
      'Nothing is kept, verified or charged. Of a text its first 64 KiB are read; an Excel workbook is sent as a whole.',
    for: 'full',
    needs: 'batches',
    idempotencyKey: false,
    consumes: [...PREVIEWED],
    body: { required: true, schema: { type: 'string' } },
    ok: BatchPreviewReply,
  })
  @RouteConfig({ streamsBody: true })
  async preview(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest & StreamedRequest,
    @Query() query: PreviewBatchQuery,
  ) {
    const { sheets, ...read } = await sentPreview(request, caller, settingsOf(query));
    return replyOf(BatchPreviewReply, { ...read, sheets: sheets && sheets.map((sheet) => replyOf(SheetReply, sheet)) });
  }
}
