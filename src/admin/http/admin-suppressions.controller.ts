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
import type { EntityManager } from 'typeorm';
import { RequireAdmin } from '../../keys/access/audience.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { PageQuery } from '../../platform/http/page.js';
import { hashesOf, SuppressRequest } from '../../suppressions/suppressions.dto.js';
import { InTurn } from '../../keys/limits/in-turn.interceptor.js';
import {
  SUPPRESSION_ID,
  SuppressedReply,
  suppressedReply,
  SuppressionPageReply,
  suppressionPageReply,
} from '../../suppressions/suppression.reply.js';
import { type Actor, Administrator } from '../actor.js';
import { AuditService } from '../audit.service.js';
import { EVERYBODY, SuppressionsService } from '../../suppressions/suppressions.service.js';

@ApiTags('Global suppressions')
@ApiBearerAuth()
@RequireAdmin()
@InTurn()
@Controller('admin/v1/suppressions')
export class AdminSuppressionsController {
  constructor(
    private readonly suppressions: SuppressionsService,
    private readonly audit: AuditService,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiOperation({ operationId: 'suppressForAll', summary: 'Keep people from being found by any account' })
  @ApiCreatedResponse({ type: SuppressedReply })
  async add(@Administrator() actor: Actor, @Body() request: SuppressRequest): Promise<SuppressedReply> {
    const { reason = null } = request;
    const hashes = hashesOf(request);
    const add = (tx: EntityManager) => this.suppressions.add(EVERYBODY, hashes, reason, tx);
    const done = await this.audit.audited(actor, 'suppression.add', add, ({ added }) => ({
      details: { added, hashes: hashes.map((hash) => hash.toString('hex')), reason },
    }));
    return suppressedReply(done);
  }

  @Get()
  @ApiOperation({
    operationId: 'listGlobalSuppressions',
    summary: 'The suppression list of all accounts, newest first',
  })
  @ApiOkResponse({ type: SuppressionPageReply })
  async list(@Query() query: PageQuery): Promise<SuppressionPageReply> {
    return suppressionPageReply(await this.suppressions.list(EVERYBODY, query));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiParam(SUPPRESSION_ID)
  @ApiErrors('suppression_not_found')
  @ApiOperation({ operationId: 'unsuppressForAll', summary: 'Take an address off the list of all accounts' })
  @ApiNoContentResponse({ description: 'Taken off the list.' })
  async remove(@Administrator() actor: Actor, @Param('id') id: string): Promise<void> {
    const remove = (tx: EntityManager) => this.suppressions.remove(EVERYBODY, id, tx);
    await this.audit.audited(actor, 'suppression.remove', remove, (hash) => ({
      details: { hash: hash.toString('hex') },
    }));
  }
}
