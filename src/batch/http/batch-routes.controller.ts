import {
  Body,
  Delete,
  Get,
  HttpCode,
  Inject,
  Patch,
  Post,
  Query,
  Req,
  Res,
  type StreamableFile,
  type Type,
} from '@nestjs/common';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { ApiBody, ApiParam, ApiProduces } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { BATCH_ID_SCHEMA, BatchIdParam } from './batch-id.js';
import { PageQuery } from '../../platform/http/page.js';
import { Presenters } from '../../presenting/presenters.js';
import { DownloadsService } from '../results/downloads.service.js';
import { BatchResultsQuery } from '../results/results-query.dto.js';
import { type BatchKind, batchStatus } from '../model/batch-kind.js';
import { BatchService } from '../batch.service.js';
import { BatchRetentionService } from '../intake/batch-settings.service.js';
import { KeepBatchRequest } from './batch-settings.dto.js';
import { StartBatchRequest } from './batch.request.js';
import { HeldBatchesService } from '../held-batches.service.js';

const BATCH_ID = { name: 'id', schema: BATCH_ID_SCHEMA } as const;

/** Documentation of each route: its operation and its replies. */
interface RouteDocuments extends Readonly<
  Record<'list' | 'status' | 'start' | 'keep' | 'results' | 'remove', MethodDecorator>
> {
  /**
   * The audience whose keys the routes take, when it is not every account. Swagger reads it from the class that has the methods.
   */
  readonly audience?: ClassDecorator;
}

/** Services for a controller that extends the routes. */
interface BatchRoutes {
  readonly batches: BatchService;
  readonly held: HeldBatchesService;
}

/** The routes that batches of every kind have. A controller extends the class and adds the route that accepts uploads. */
export function batchRoutes(kind: BatchKind, documents: RouteDocuments): Type<BatchRoutes> {
  class Routes implements BatchRoutes {
    constructor(
      readonly batches: BatchService,
      readonly held: HeldBatchesService,
      private readonly downloads: DownloadsService,
      private readonly presenters: Presenters,
      private readonly retention: BatchRetentionService,
      @Inject(CLOCK) private readonly clock: WallClock,
    ) {}

    @Get()
    @documents.list
    async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<object> {
      const { items, nextCursor } = await this.batches.list(caller, kind, query);
      const quotes = await this.held.quotesOf(caller, kind, items);
      const now = this.clock.now();
      return { batches: items.map((batch, i) => batchStatus(batch, now, quotes[i])), next_cursor: nextCursor };
    }

    @Get(':id')
    @documents.status
    @ApiParam(BATCH_ID)
    @ApiErrors('batch_not_found')
    async status(@Caller() caller: Principal, @BatchIdParam() id: number): Promise<object> {
      const batch = await this.batches.get(caller, kind, id);
      const [quote] = await this.held.quotesOf(caller, kind, [batch]);
      return batchStatus(batch, this.clock.now(), quote);
    }

    @Post(':id/start')
    @HttpCode(200)
    @documents.start
    @ApiParam(BATCH_ID)
    @ApiBody({ type: StartBatchRequest, required: false })
    @ApiIdempotencyKey()
    @ApiErrors('batch_not_found', 'batch_not_held', 'ceiling_reached', 'key_ceiling_reached', 'credits_insufficient')
    async start(
      @Caller() caller: Principal,
      @BatchIdParam() id: number,
      @Body() { max_credits }: StartBatchRequest,
      @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    ): Promise<object> {
      const order = { id, maxCredits: max_credits ?? null };
      return batchStatus(await this.held.start(caller, kind, order, claim), this.clock.now());
    }

    @Patch(':id')
    @documents.keep
    @ApiParam(BATCH_ID)
    @ApiErrors('batch_not_found')
    async keep(
      @Caller() caller: Principal,
      @BatchIdParam() id: number,
      @Body() { retention_days }: KeepBatchRequest,
    ): Promise<object> {
      const batch = await this.retention.change(caller, kind, id, retention_days ?? null);
      const [quote] = await this.held.quotesOf(caller, kind, [batch]);
      return batchStatus(batch, this.clock.now(), quote);
    }

    @Get(':id/results')
    @documents.results
    @ApiParam(BATCH_ID)
    @ApiProduces('application/json', 'text/csv', 'application/x-ndjson')
    @ApiErrors('batch_not_found', 'batch_not_finished')
    async results(
      @Caller() caller: Principal,
      @BatchIdParam() id: number,
      @Query() query: BatchResultsQuery,
      @Req() request: FastifyRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<object | StreamableFile> {
      const batch = await (query.partial === 'true'
        ? this.batches.get(caller, kind, id)
        : this.batches.getFinished(caller, kind, id));
      return this.downloads.send(batch, this.presenters.for(caller), { query, request, reply });
    }

    @Delete(':id')
    @documents.remove
    @ApiParam(BATCH_ID)
    @ApiErrors('batch_not_found', 'ceiling_not_allowed', 'key_lasts_longer')
    async remove(@Caller() caller: Principal, @BatchIdParam() id: number): Promise<object> {
      const cancelled = await this.batches.remove(caller, kind, id);
      return cancelled === null ? { id, deleted: true } : batchStatus(cancelled, this.clock.now());
    }
  }
  documents.audience?.(Routes);
  return Routes;
}
