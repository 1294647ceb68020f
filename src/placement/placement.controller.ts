import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { ApiIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { invalidField } from '../platform/errors/app-error.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import type { StreamedRequest } from '../platform/http/caller-stream.js';
import { ID_SCHEMA } from '../platform/http/id-params.js';
import { AnalysisService } from './analysis/analysis.service.js';
import { MESSAGE_TYPE, readRawMessage } from './analysis/read-raw-message.js';
import { unpackMessage } from './packed-message.js';
import {
  AnalyzeQuery,
  DEFAULT_EXPIRES_MINUTES,
  DEFAULT_SETTLE_MINUTES,
  PlacementDiffQuery,
  PlacementTestRequest,
  PlacementTestsQuery,
} from './placement.dto.js';
import { AnalysisReply, PlacementDiffReply, PlacementTestPageReply, PlacementTestReply } from './placement.reply.js';
import { KeptPlacementTests } from './tests/kept-placement-tests.service.js';
import { PlacementTestsService } from './tests/placement-tests.service.js';
import { testReply, testRow } from './tests/test-reply.js';
import { testsDiff } from './tests/tests-diff.js';

const ApiTestId = () => ApiParam({ name: 'id', schema: ID_SCHEMA });

@ApiTags('Deliverability')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/placement')
export class PlacementController {
  constructor(
    private readonly tests: PlacementTestsService,
    private readonly kept: KeptPlacementTests,
    private readonly analyses: AnalysisService,
  ) {}

  @Post('analyze')
  @HttpCode(200)
  @RouteConfig({ streamsBody: true })
  @ApiIdempotencyKey()
  @ApiConsumes(MESSAGE_TYPE)
  @ApiBody({ schema: { type: 'string', description: 'The message with its header, at most 10 MB.' } })
  @ApiOkResponse({ type: AnalysisReply })
  @ApiErrors('credits_insufficient', 'ceiling_reached', 'key_ceiling_reached')
  @ApiOperation({ operationId: 'analyzeMessage', summary: 'The report of a message, without sending it' })
  async analyze(
    @Caller() caller: Principal,
    @Query() query: AnalyzeQuery,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Req() request: FastifyRequest & StreamedRequest,
  ): Promise<AnalysisReply> {
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
      status: 'completed',
      ...report,
      credits_charged: creditsCharged,
      latency_ms: latencyMs,
      request_id: request.id,
    };
  }

  @Post('tests')
  @ApiIdempotencyKey()
  @ApiCreatedResponse({ type: PlacementTestReply })
  @ApiErrors(
    'credits_insufficient',
    'ceiling_reached',
    'key_ceiling_reached',
    'plan_limit_reached',
    'placement_unavailable',
  )
  @ApiOperation({ operationId: 'createPlacementTest', summary: 'An address to send a mail to, and what becomes of it' })
  async create(
    @Caller() caller: Principal,
    @Body() request: PlacementTestRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlacementTestReply> {
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

  @Get('tests')
  @ApiOkResponse({ type: PlacementTestPageReply })
  @ApiOperation({ operationId: 'listPlacementTests', summary: 'Placement tests of the last 90 days, newest first' })
  async list(@Caller() caller: Principal, @Query() query: PlacementTestsQuery): Promise<PlacementTestPageReply> {
    const { items, nextCursor } = await this.kept.list(ownerOf(caller), query, query.status ?? null);
    return { tests: items.map(testRow), next_cursor: nextCursor };
  }

  @Get('tests/:id')
  @ApiTestId()
  @ApiOkResponse({ type: PlacementTestReply })
  @ApiErrors('placement_test_not_found')
  @ApiOperation({ operationId: 'getPlacementTest', summary: 'A placement test as it stands, with its report' })
  async get(@Caller() caller: Principal, @Param('id') id: string): Promise<PlacementTestReply> {
    return testReply(await this.kept.seen(await this.kept.get(ownerOf(caller), id)));
  }

  @Get('tests/:id/message')
  @ApiTestId()
  @ApiProduces(MESSAGE_TYPE)
  @ApiOkResponse({ content: { [MESSAGE_TYPE]: { schema: { type: 'string' } } } })
  @ApiErrors('placement_test_not_found')
  @ApiOperation({ operationId: 'getPlacementMessage', summary: 'The mail as it came, for 7 days' })
  async message(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const message = await this.kept.message(ownerOf(caller), id);
    // A browser shows nothing of it, whatever is in it.
    void reply
      .header('Content-Type', MESSAGE_TYPE)
      .header('Content-Disposition', `attachment; filename="placement-test-${message.testId}.eml"`)
      .header('X-Content-Type-Options', 'nosniff');
    return unpackMessage(message.raw);
  }

  @Get('tests/:id/diff')
  @ApiTestId()
  @ApiOkResponse({ type: PlacementDiffReply })
  @ApiErrors('placement_test_not_found')
  @ApiOperation({ operationId: 'comparePlacementTests', summary: 'What differs between two placement tests' })
  async diff(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() { to }: PlacementDiffQuery,
  ): Promise<PlacementDiffReply> {
    const owner = ownerOf(caller);
    const test = await this.kept.get(owner, id);
    if (to === undefined) throw invalidField('to', 'must be the id of a placement test');
    return testsDiff(test, await this.kept.get(owner, to));
  }

  @Delete('tests/:id')
  @HttpCode(204)
  @ApiTestId()
  @ApiNoContentResponse()
  @ApiErrors('placement_test_not_found')
  @ApiOperation({
    operationId: 'deletePlacementTest',
    summary: 'Cancel a test that has not ended, or delete one that has, with its message',
  })
  remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.tests.remove(caller, id);
  }
}
