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
import { SuppressionAdministrationService } from '../suppression-administration.service.js';

@ApiTags('Global suppressions')
@ApiBearerAuth()
@RequireAdmin()
@InTurn()
@Controller('admin/v1/suppressions')
export class AdminSuppressionsController {
  constructor(private readonly suppressions: SuppressionAdministrationService) {}

  @Post()
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiOperation({ operationId: 'suppressForAll', summary: 'Keep people from being found by any account' })
  @ApiCreatedResponse({ type: SuppressedReply })
  async add(@Administrator() actor: Actor, @Body() request: SuppressRequest): Promise<SuppressedReply> {
    return suppressedReply(await this.suppressions.add(actor, hashesOf(request), request.reason ?? null));
  }

  @Get()
  @ApiOperation({
    operationId: 'listGlobalSuppressions',
    summary: 'The suppression list of all accounts, newest first',
  })
  @ApiOkResponse({ type: SuppressionPageReply })
  async list(@Query() query: PageQuery): Promise<SuppressionPageReply> {
    return suppressionPageReply(await this.suppressions.list(query));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiParam(SUPPRESSION_ID)
  @ApiErrors('suppression_not_found')
  @ApiOperation({ operationId: 'unsuppressForAll', summary: 'Take an address off the list of all accounts' })
  @ApiNoContentResponse({ description: 'Taken off the list.' })
  async remove(@Administrator() actor: Actor, @Param('id') id: string): Promise<void> {
    await this.suppressions.remove(actor, id);
  }
}
