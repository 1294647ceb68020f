import { Controller, Delete, Get, Inject, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiConsumes, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../keys/caller.js';
import type { Principal } from '../keys/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { type Claim, RequestClaim } from '../platform/http/claim.js';
import { BatchIdParam } from '../platform/http/id-params.js';
import { ApiIdempotencyKey } from '../platform/http/idempotency-key.decorator.js';
import { PageQuery } from '../platform/http/page.js';
import type { StreamedRequest } from '../platform/http/streamed-request.js';
import {
  AgentBatchRequest,
  AgentResultsData,
  BatchDeletedReply,
  BatchPageReply,
  BatchReply,
  BatchRequest,
  BatchTakenData,
  BatchTakenReply,
  ResultsReply,
} from '../presenting/batch-schemas.js';
import { PresentBody, RequestShapes } from '../presenting/present.decorator.js';
import { Presenters } from '../presenting/presenters.js';
import { batchBody } from './batch-body.js';
import { BatchDownloadsService } from './batch-downloads.service.js';
import { BatchService } from './batch.service.js';
import { readBody } from './intake/body.js';
import type { IntakeSettings } from './intake/intake-row.js';
import { acceptsGzip, ResultsQuery } from './result-input.js';
import { SubmitBatchQuery } from './submit-query.js';

const BATCH_ID = { name: 'id', schema: { type: 'integer', format: 'int64', minimum: 1 } } as const;

@ApiTags('Batch')
@ApiBearerAuth()
@Controller('api/v1/verify/batch')
export class BatchController {
  constructor(
    private readonly batches: BatchService,
    private readonly downloads: BatchDownloadsService,
    private readonly presenters: Presenters,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Post()
  @RouteConfig({ streamsBody: true })
  @PresentBody({ envelope: BatchTakenData, flat: BatchTakenReply }, 201)
  @ApiIdempotencyKey()
  @ApiConsumes('application/json', 'text/csv', 'text/plain', 'application/x-ndjson', 'multipart/form-data')
  @RequestShapes({ envelope: AgentBatchRequest, flat: BatchRequest })
  @ApiErrors('credits_insufficient', 'daily_capacity_exhausted', 'too_many_emails')
  @ApiOperation({ operationId: 'submitBatch', summary: 'Verify many addresses' })
  async submit(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest & StreamedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestClaim() claim: Claim | null,
    @Query() query: SubmitBatchQuery,
  ): Promise<object> {
    const settings = settingsOf(query);
    const encoding = request.headers['content-encoding'] ?? '';
    const sent = { stream: request.body, contentType: request.sentContentType, contentEncoding: encoding };
    const { id, totalRows, uniqueAddresses, webhook } = await this.batches.submit(
      caller,
      readBody(sent, settings),
      settings,
      claim,
    );
    void reply.header('Location', `/api/v1/verify/batch/${id}`);
    const { policy } = caller;
    const told = webhook && { id: webhook.id, url: settings.webhookUrl, secret: webhook.secret };
    const flat = { unique_emails: uniqueAddresses, name: settings.name, webhook: told };
    return { id, status: 'queued', total_emails: totalRows, ...(policy.shape === 'flat' && flat) };
  }

  @Get()
  @PresentBody(BatchPageReply)
  @ApiOperation({ operationId: 'listBatches', summary: 'Batches of the account, newest first' })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<object> {
    const { items, nextCursor } = await this.batches.list(caller, query);
    return { batches: items.map((batch) => batchBody(batch, this.clock.now())), next_cursor: nextCursor };
  }

  @Get(':id')
  @PresentBody(BatchReply)
  @ApiParam(BATCH_ID)
  @ApiErrors('batch_not_found')
  @ApiOperation({ operationId: 'getBatch', summary: 'How far a batch is' })
  async status(@Caller() caller: Principal, @BatchIdParam() id: number): Promise<object> {
    return batchBody(await this.batches.get(caller, id), this.clock.now());
  }

  @Get(':id/results')
  @PresentBody({ envelope: AgentResultsData, flat: ResultsReply })
  @ApiProduces('application/json', 'text/csv', 'application/x-ndjson')
  @ApiParam(BATCH_ID)
  @ApiErrors('batch_not_found', 'batch_not_finished')
  @ApiOperation({
    operationId: 'getBatchResults',
    summary: 'The results of a finished batch, in the order of submission',
  })
  async results(
    @Caller() caller: Principal,
    @BatchIdParam() id: number,
    @Query() query: ResultsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | StreamableFile> {
    const batch = await this.batches.getFinished(caller, id);
    const presenter = this.presenters.for(caller);
    const present = (result: Parameters<typeof presenter.row>[0]) => presenter.row(result, request.id);
    const { format = 'json' } = query;
    const asked = { query, acceptsGzip: acceptsGzip(request.headers['accept-encoding']), present };
    if (format === 'json') return this.downloads.page(batch, asked);
    const file = this.downloads.file(batch, format, asked);
    void reply.header('Vary', 'Accept-Encoding');
    if (asked.acceptsGzip) void reply.header('Content-Encoding', 'gzip');
    return file;
  }

  @Delete(':id')
  @PresentBody([BatchReply, BatchDeletedReply])
  @ApiParam(BATCH_ID)
  @ApiErrors('batch_not_found')
  @ApiOperation({
    operationId: 'removeBatch',
    summary: 'Cancel a batch that runs, or delete a finished one with its addresses',
  })
  async remove(@Caller() caller: Principal, @BatchIdParam() id: number): Promise<object> {
    const cancelled = await this.batches.remove(caller, id);
    return cancelled === null ? { id, deleted: true } : batchBody(cancelled, this.clock.now());
  }
}

function settingsOf({ name, webhook_url, email_column }: SubmitBatchQuery): IntakeSettings {
  return { name: name ?? null, webhookUrl: webhook_url ?? null, emailColumn: email_column ?? null, columns: null };
}
