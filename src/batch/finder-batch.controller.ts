import { Controller, Delete, Get, Inject, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireFullAccount } from '../keys/audience.js';
import { Caller } from '../keys/caller.js';
import type { Principal } from '../keys/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { type Claim, RequestClaim } from '../platform/http/claim.js';
import { BatchIdParam } from '../platform/http/id-params.js';
import { ApiIdempotencyKey } from '../platform/http/idempotency-key.decorator.js';
import { PageQuery } from '../platform/http/page.js';
import type { StreamedRequest } from '../platform/http/streamed-request.js';
import { BatchDeletedReply } from '../presenting/batch-schemas.js';
import {
  PeopleBatchPageReply,
  PeopleBatchReply,
  PeopleBatchRequest,
  PeopleBatchTakenReply,
  PeopleResultsReply,
} from '../presenting/people-batch-schemas.js';
import { Presenters } from '../presenting/presenters.js';
import { batchBody } from './batch-body.js';
import { BatchDownloadsService } from './batch-downloads.service.js';
import { BatchService } from './batch.service.js';
import type { IntakeSettings } from './intake/intake-row.js';
import { type PeopleColumns, readPeople } from './intake/people-reader.js';
import { acceptsGzip, ResultsQuery } from './result-input.js';
import { SubmitPeopleQuery } from './submit-query.js';

const BATCH_ID = { name: 'id', schema: { type: 'integer', format: 'int64', minimum: 1 } } as const;

/** Searches for many people, on the machinery of batches. */
@ApiTags('Finder')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/finder/batch')
export class FinderBatchController {
  constructor(
    private readonly batches: BatchService,
    private readonly downloads: BatchDownloadsService,
    private readonly presenters: Presenters,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Post()
  @RouteConfig({ streamsBody: true })
  @ApiIdempotencyKey()
  @ApiConsumes('application/json', 'text/csv', 'application/x-ndjson', 'multipart/form-data')
  @ApiBody({ type: PeopleBatchRequest })
  @ApiCreatedResponse({ type: PeopleBatchTakenReply })
  @ApiErrors('credits_insufficient', 'too_many_emails')
  @ApiOperation({ operationId: 'submitPeople', summary: 'Find many people' })
  async submit(
    @Caller() caller: Principal,
    @Req() request: FastifyRequest & StreamedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestClaim() claim: Claim | null,
    @Query() query: SubmitPeopleQuery,
  ): Promise<object> {
    const settings = settingsOf(query);
    const encoding = request.headers['content-encoding'] ?? '';
    const sent = { stream: request.body, contentType: request.sentContentType, contentEncoding: encoding };
    const people = readPeople(sent, columnsOf(query), settings);
    const { id, totalRows, uniqueAddresses, webhook } = await this.batches.submit(
      caller,
      people,
      settings,
      claim,
      'find',
    );
    void reply.header('Location', `/api/v1/finder/batch/${id}`);
    return {
      id,
      status: 'queued',
      total_people: totalRows,
      unique_people: uniqueAddresses,
      name: settings.name,
      webhook: webhook && { id: webhook.id, url: settings.webhookUrl, secret: webhook.secret },
    };
  }

  @Get()
  @ApiOkResponse({ type: PeopleBatchPageReply })
  @ApiOperation({ operationId: 'listPeopleBatches', summary: "The finder's batches of the account, newest first" })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<object> {
    const { items, nextCursor } = await this.batches.list(caller, query, { kind: 'find' });
    return { batches: items.map((batch) => batchBody(batch, this.clock.now())), next_cursor: nextCursor };
  }

  @Get(':id')
  @ApiParam(BATCH_ID)
  @ApiOkResponse({ type: PeopleBatchReply })
  @ApiErrors('batch_not_found')
  @ApiOperation({ operationId: 'getPeopleBatch', summary: 'How far a batch of the finder is' })
  async status(@Caller() caller: Principal, @BatchIdParam() id: number): Promise<object> {
    return batchBody(await this.batches.get(caller, id, 'find'), this.clock.now());
  }

  @Get(':id/results')
  @ApiParam(BATCH_ID)
  @ApiProduces('application/json', 'text/csv', 'application/x-ndjson')
  @ApiOkResponse({ type: PeopleResultsReply })
  @ApiErrors('batch_not_found', 'batch_not_finished')
  @ApiOperation({ operationId: 'getPeopleResults', summary: 'Who was found, in the order of submission' })
  async results(
    @Caller() caller: Principal,
    @BatchIdParam() id: number,
    @Query() query: ResultsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | StreamableFile> {
    const batch = await this.batches.getFinished(caller, id, 'find');
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
  @ApiParam(BATCH_ID)
  @ApiExtraModels(PeopleBatchReply, BatchDeletedReply)
  @ApiOkResponse({
    schema: { oneOf: [PeopleBatchReply, BatchDeletedReply].map((one) => ({ $ref: getSchemaPath(one) })) },
  })
  @ApiErrors('batch_not_found')
  @ApiOperation({ operationId: 'removePeopleBatch', summary: 'Cancel a batch that runs, or delete a finished one' })
  async remove(@Caller() caller: Principal, @BatchIdParam() id: number): Promise<object> {
    const cancelled = await this.batches.remove(caller, id, 'find');
    return cancelled === null ? { id, deleted: true } : batchBody(cancelled, this.clock.now());
  }
}

function settingsOf({ name, webhook_url }: SubmitPeopleQuery): IntakeSettings {
  return { name: name ?? null, webhookUrl: webhook_url ?? null, emailColumn: null, columns: null };
}

function columnsOf(query: SubmitPeopleQuery): PeopleColumns {
  return {
    full_name: query.full_name_column ?? null,
    first_name: query.first_name_column ?? null,
    last_name: query.last_name_column ?? null,
    domain: query.domain_column ?? null,
  };
}
