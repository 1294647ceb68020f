import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { ApiIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { PageQuery } from '../platform/http/page.js';
import { hashesOf, SuppressRequest } from './suppressions.dto.js';
import {
  SUPPRESSION_ID,
  SuppressedReply,
  suppressedReply,
  SuppressionPageReply,
  suppressionPageReply,
  SuppressionReply,
  suppressionReply,
} from './suppression.reply.js';
import { OwnSuppressionsService, SuppressionsService } from './suppressions.service.js';
import { InTurn } from '../keys/limits/in-turn.interceptor.js';

@ApiTags('Suppressions')
@ApiBearerAuth()
@RequireFullAccount()
@InTurn()
@Controller('api/v1/suppressions')
export class SuppressionsController {
  constructor(
    private readonly suppressions: SuppressionsService,
    private readonly own: OwnSuppressionsService,
  ) {}

  @Post()
  @ApiIdempotencyKey()
  @ApiCreatedResponse({ type: SuppressedReply })
  @ApiOperation({ operationId: 'suppress', summary: 'Keep people who asked for it from being found' })
  async add(
    @Caller() caller: Principal,
    @Body() request: SuppressRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<SuppressedReply> {
    return suppressedReply(await this.own.add(caller, hashesOf(request), request.reason ?? null, claim));
  }

  @Get()
  @ApiOkResponse({ type: SuppressionPageReply })
  @ApiOperation({ operationId: 'listSuppressions', summary: 'The suppression list, newest first' })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<SuppressionPageReply> {
    return suppressionPageReply(await this.suppressions.list(ownerOf(caller), query));
  }

  @Get(':id')
  @ApiParam(SUPPRESSION_ID)
  @ApiOkResponse({ type: SuppressionReply })
  @ApiErrors('suppression_not_found')
  @ApiOperation({ operationId: 'getSuppression', summary: 'Whether an address is on the list' })
  async get(@Caller() caller: Principal, @Param('id') id: string): Promise<SuppressionReply> {
    return suppressionReply(await this.suppressions.get(ownerOf(caller), id));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiParam(SUPPRESSION_ID)
  @ApiNoContentResponse({ description: 'Taken off the list.' })
  @ApiErrors('suppression_not_found')
  @ApiOperation({ operationId: 'unsuppress', summary: 'Take an address off the list' })
  async remove(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    await this.own.remove(caller, id);
  }
}
