import { Body, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { Caller } from '../../keys/access/caller.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { invalidField } from '../../platform/errors/app-error.js';
import type { StreamedRequest } from '../../platform/http/caller-stream.js';
import { AnalysisService, MESSAGE_TYPE, readRawMessage } from './analysis.service.js';
import {
  AnalyzeQuery,
  DEFAULT_EXPIRES_MINUTES,
  DEFAULT_SETTLE_MINUTES,
  PlacementDiffQuery,
  PlacementTestRequest,
  PlacementTestsQuery,
} from './placement.dto.js';
import { AnalysisReply, PlacementDiffReply, PlacementTestPageReply, PlacementTestReply } from './placement.reply.js';
import { PlacementTestsService } from './placement-tests.service.js';
import { testReply, testRow, testsDiff } from './test-reply.js';
import { Route, Routes } from '../../keys/route.decorator.js';
import { NameParam } from '../../platform/http/id-params.js';
import { ID_SCHEMA } from '../../platform/http/ids.js';
import { pageReply } from '../../platform/http/page.js';
import { PlacementTestHistoryService, unpackMessage } from './placement-test-history.service.js';

const TestId = () => NameParam('placement_test_not_found', { schema: ID_SCHEMA });

@Routes('api/v1/placement', { tag: 'Deliverability', for: 'full', needs: 'deliverability' })
export class PlacementController {
  constructor(
    private readonly tests: PlacementTestsService,
    private readonly kept: PlacementTestHistoryService,
    private readonly analyses: AnalysisService,
  ) {}

  @Route.post('analyze', 'analyzeMessage', 'The report of a message, without sending it', {
    consumes: [MESSAGE_TYPE],
    body: { schema: { type: 'string', description: 'The message with its header, at most 10 MB.' } },
    ok: AnalysisReply,
    spends: true,
  })
  @RouteConfig({ streamsBody: true })
  async analyze(
    @Caller() caller: Principal,
    @Query() query: AnalyzeQuery,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Req() request: FastifyRequest & StreamedRequest,
  ) {
    const { client_address, helo, mail_from, max_credits } = query;
    const envelope = {
      clientAddress: client_address ?? null,
      clientName: helo ?? null,
      mailFrom: mail_from ?? null,
      tls: null,
    };
    const asked = { raw: await readRawMessage(request), envelope, maxCredits: max_credits ?? null };
    const { report, creditsCharged, latencyMs } = await this.analyses.analyze(caller, asked, claim);
    return {
      status: 'completed' as const,
      ...report,
      credits_charged: creditsCharged,
      latency_ms: latencyMs,
      request_id: request.id,
    };
  }

  @Route.post('tests', 'createPlacementTest', 'An address to send a mail to, and what becomes of it', {
    created: PlacementTestReply,
    spends: true,
    errors: ['plan_limit_reached', 'placement_unavailable'],
  })
  async create(
    @Caller() caller: Principal,
    @Body() request: PlacementTestRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const wanted = {
      name: request.name ?? null,
      seeds: request.seeds ?? 'all',
      settleMinutes: request.settle_minutes ?? DEFAULT_SETTLE_MINUTES,
      expiresMinutes: request.expires_minutes ?? DEFAULT_EXPIRES_MINUTES,
      maxCredits: request.max_credits ?? null,
    };
    const { test, addresses } = await this.tests.create(caller, wanted, claim);
    void reply.header('Location', `/api/v1/placement/tests/${test.id}`);
    return testReply(this.kept.fresh(test, addresses));
  }

  @Route.get('tests', 'listPlacementTests', 'Placement tests of the last 90 days, newest first', {
    ok: PlacementTestPageReply,
  })
  async list(@Caller() caller: Principal, @Query() query: PlacementTestsQuery) {
    return pageReply('tests', await this.kept.list(ownerOf(caller), query, query.status ?? null), testRow);
  }

  @Route.get('tests/:id', 'getPlacementTest', 'A placement test as it stands, with its report', {
    ok: PlacementTestReply,
  })
  async get(@Caller() caller: Principal, @TestId() id: string) {
    return testReply(await this.kept.seen(await this.kept.get(ownerOf(caller), id)));
  }

  @Route.get('tests/:id/message', 'getPlacementMessage', 'The mail as it came, for 7 days', {
    produces: [MESSAGE_TYPE],
    ok: { content: { [MESSAGE_TYPE]: { schema: { type: 'string' } } } },
    errors: ['message_not_received'],
  })
  async message(@Caller() caller: Principal, @TestId() id: string, @Res({ passthrough: true }) reply: FastifyReply) {
    const message = await this.kept.message(ownerOf(caller), id);
    // A browser shows nothing of it, whatever is in it.
    void reply
      .header('Content-Type', MESSAGE_TYPE)
      .header('Content-Disposition', `attachment; filename="placement-test-${message.testId}.eml"`)
      .header('X-Content-Type-Options', 'nosniff');
    return unpackMessage(message.raw);
  }

  @Route.get('tests/:id/diff', 'comparePlacementTests', 'What differs between two placement tests', {
    ok: PlacementDiffReply,
  })
  async diff(@Caller() caller: Principal, @TestId() id: string, @Query() { to }: PlacementDiffQuery) {
    const owner = ownerOf(caller);
    const test = await this.kept.get(owner, id);
    if (to === undefined) throw invalidField('to', 'must be the id of a placement test');
    return testsDiff(test, await this.kept.get(owner, to));
  }

  @Route.delete(
    'tests/:id',
    'deletePlacementTest',
    'Cancel a test that has not ended, or delete one that has, with its message',
    { noContent: true },
  )
  remove(@Caller() caller: Principal, @TestId() id: string) {
    return this.tests.remove(caller, id);
  }
}
