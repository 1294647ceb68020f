import { Body, Inject, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { PageQuery } from '../../platform/http/page.js';
import { Presenters } from '../../presenting/presenters.js';
import { DownloadsService } from '../results/downloads.service.js';
import { BatchResultsQuery } from '../results/results-query.dto.js';
import { RESULT_MEDIA_TYPES } from '../results/result-writers.js';
import type { Audience } from '../../keys/access/audience.js';
import type { Permission } from '../../keys/scope/key-scope.js';
import { type BatchKind, batchStatus, PEOPLE } from '../model/batch-kind.js';
import { BatchService } from '../batch.service.js';
import { KeepBatchRequest } from './batch-settings.dto.js';
import { HeldBatchesService } from '../held-batches.service.js';
import type { RowKind } from '../formats/sent-body.js';
import { type QuerySettings, sentRows, settingsOf } from '../intake/body.js';
import type { StreamedRequest } from '../../platform/http/caller-stream.js';
import { type Answer, Route } from '../../keys/route.decorator.js';
import { IdParam } from '../../platform/http/id-params.js';
import { OptionalMaxCredits } from '../../credits/max-credits.decorator.js';
import { BatchRetentionService } from '../intake/batch-settings.service.js';

export class StartBatchRequest {
  @OptionalMaxCredits()
  readonly max_credits?: number | null;
}

type RouteDocument = readonly [operation: string, summary: string, ok: Answer];

/** What each route of a kind is called and answers with, whose keys it takes, and what they need. */
interface RouteDocuments extends Readonly<
  Record<'list' | 'status' | 'start' | 'keep' | 'results' | 'remove', RouteDocument>
> {
  /** The audience whose keys the routes take, when it is not every account. */
  readonly for?: Audience;
  readonly needs: Permission;
  /** Below `/api/v1`. */
  readonly path: string;
  /** What the rows of its bodies are. */
  readonly rows: RowKind;
  /** To read results. */
  readonly resultsNeed: readonly Permission[];
}

/** The routes that batches of every kind have. A controller extends the class and adds the route that accepts uploads. */
export function batchRoutes(kind: BatchKind, documents: RouteDocuments) {
  const { list, status, start, keep, results, remove, needs, for: audience } = documents;

  class Routes {
    constructor(
      readonly batches: BatchService,
      readonly held: HeldBatchesService,
      private readonly downloads: DownloadsService,
      private readonly presenters: Presenters,
      private readonly retention: BatchRetentionService,
      @Inject(CLOCK) private readonly clock: WallClock,
    ) {}

    /** Takes in the rows that a request brings. @returns what is told of the batch, whose place the reply's header names */
    async take(
      caller: Principal,
      request: FastifyRequest & StreamedRequest,
      reply: FastifyReply,
      claim: IdempotencyClaim | null,
      query: QuerySettings,
    ) {
      const settings = settingsOf(query);
      const rows = sentRows(request, caller, documents.rows, settings);
      const taken = await this.batches.submit(caller, kind, rows, settings, claim);
      const { id, state, totalRows, uniqueAddresses, webhook } = taken;
      const [quote] = await this.held.quotesOf(caller, kind, [taken]);
      void reply.header('Location', `/api/v1/${documents.path}/${id}`);
      const endpoint = webhook && { id: webhook.id, url: settings.webhookUrl, secret: webhook.secret };
      const flat = { [`unique_${kind.items}`]: uniqueAddresses, name: settings.name, webhook: endpoint };
      const isFlat = kind === PEOPLE || caller.policy.shape === 'flat';
      return { id, status: state, [`total_${kind.items}`]: totalRows, ...(isFlat && flat), ...(quote && { quote }) };
    }

    @Route.get('', list[0], list[1], { needs, for: audience, ok: list[2] })
    async list(@Caller() caller: Principal, @Query() query: PageQuery) {
      const { items, nextCursor } = await this.batches.list(caller, kind, query);
      const quotes = await this.held.quotesOf(caller, kind, items);
      const now = this.clock.now();
      return { batches: items.map((batch, i) => batchStatus(batch, now, quotes[i])), next_cursor: nextCursor };
    }

    @Route.get(':id', status[0], status[1], { needs, for: audience, ok: status[2] })
    async status(@Caller() caller: Principal, @IdParam('batch_not_found') id: number) {
      const batch = await this.batches.get(caller, kind, id);
      const [quote] = await this.held.quotesOf(caller, kind, [batch]);
      return batchStatus(batch, this.clock.now(), quote);
    }

    @Route.post(':id/start', start[0], start[1], {
      needs,
      for: audience,
      optionalBody: StartBatchRequest,
      ok: start[2],
      errors: ['batch_not_held', 'ceiling_reached', 'key_ceiling_reached', 'credits_insufficient'],
    })
    async start(
      @Caller() caller: Principal,
      @IdParam('batch_not_found') id: number,
      @Body() { max_credits }: StartBatchRequest,
      @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    ) {
      const order = { id, maxCredits: max_credits ?? null };
      return batchStatus(await this.held.start(caller, kind, order, claim), this.clock.now());
    }

    @Route.patch(':id', keep[0], keep[1], { needs, for: audience, ok: keep[2] })
    async keep(
      @Caller() caller: Principal,
      @IdParam('batch_not_found') id: number,
      @Body() { retention_days }: KeepBatchRequest,
    ) {
      const batch = await this.retention.change(caller, kind, id, retention_days ?? null);
      const [quote] = await this.held.quotesOf(caller, kind, [batch]);
      return batchStatus(batch, this.clock.now(), quote);
    }

    @Route.get(':id/results', results[0], results[1], {
      needs: documents.resultsNeed,
      for: audience,
      produces: RESULT_MEDIA_TYPES,
      ok: results[2],
      errors: ['batch_not_finished'],
    })
    async results(
      @Caller() caller: Principal,
      @IdParam('batch_not_found') id: number,
      @Query() query: BatchResultsQuery,
      @Req() request: FastifyRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ) {
      const batch = await (query.partial === 'true'
        ? this.batches.get(caller, kind, id)
        : this.batches.getFinished(caller, kind, id));
      return this.downloads.send(batch, this.presenters.for(caller), { query, request, reply });
    }

    @Route.delete(':id', remove[0], remove[1], {
      needs,
      for: audience,
      ok: remove[2],
      errors: ['ceiling_not_allowed', 'key_lasts_longer'],
    })
    async remove(@Caller() caller: Principal, @IdParam('batch_not_found') id: number) {
      const cancelled = await this.batches.remove(caller, kind, id);
      return cancelled === null ? { id, deleted: true } : batchStatus(cancelled, this.clock.now());
    }
  }
  return Routes;
}
