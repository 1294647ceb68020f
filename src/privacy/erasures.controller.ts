import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { ApiIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { UuidParam } from '../platform/http/id-params.js';
import { PageQuery } from '../platform/http/page.js';
import { ErasurePageReply, erasurePageReply, ErasureReply, erasureReply } from './erasure.reply.js';
import { ErasureReceipts } from './erasure-receipts.js';
import { EraseRequest } from './erasures.dto.js';
import { ErasuresService } from './erasures.service.js';
import { InTurn } from '../keys/limits/in-turn.interceptor.js';

@ApiTags('Privacy')
@ApiBearerAuth()
@RequireFullAccount()
@InTurn()
@Controller('api/v1/erasures')
export class ErasuresController {
  constructor(
    private readonly erasures: ErasuresService,
    private readonly receipts: ErasureReceipts,
  ) {}

  @Post()
  @HttpCode(202)
  @ApiIdempotencyKey()
  @ApiErrors('too_many_erasures')
  @ApiAcceptedResponse({ type: ErasureReply })
  @ApiOperation({
    operationId: 'eraseAddress',
    summary: 'Take an address out of everything that the account has of it',
    description:
      'It takes seconds; a batch that runs is looked through when it has ended. The receipt tells how far it is.',
  })
  async order(
    @Caller() caller: Principal,
    @Body() { email, suppress }: EraseRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<ErasureReply> {
    return erasureReply(await this.erasures.order(caller, { email, suppress: suppress ?? false }, claim));
  }

  @Get()
  @ApiOkResponse({ type: ErasurePageReply })
  @ApiOperation({
    operationId: 'listErasures',
    summary: 'Erasures, newest first',
    description: 'The receipts of all erasures of the account, in the mode of the key. None holds an address.',
  })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<ErasurePageReply> {
    return erasurePageReply(await this.receipts.listOf(ownerOf(caller), query));
  }

  @Get(':id')
  @ApiErrors('erasure_not_found')
  @ApiOkResponse({ type: ErasureReply })
  @ApiOperation({ operationId: 'getErasure', summary: 'How far an erasure is, and what it has erased' })
  async get(@Caller() caller: Principal, @UuidParam('erasure_not_found') id: string): Promise<ErasureReply> {
    return erasureReply(await this.erasures.get(caller, id));
  }
}
