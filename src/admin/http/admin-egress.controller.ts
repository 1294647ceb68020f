import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireAdmin } from '../../keys/access/audience.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { InTurn } from '../../keys/limits/in-turn.interceptor.js';
import { type Actor, Administrator } from '../actor.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import { EgressReply, EgressSourceReply, egressSourceReply } from '../bodies/source.reply.js';
import { EgressAdministrationService } from '../egress-administration.service.js';

const NAME = {
  name: 'id',
  description: 'The name of the source.',
  schema: { type: 'string', example: 'default' },
} as const;

/** Our own sending addresses. */
@ApiTags('Egress')
@ApiBearerAuth()
@RequireAdmin()
@InTurn()
@Controller('admin/v1/egress')
export class AdminEgressController {
  constructor(private readonly egress: EgressAdministrationService) {}

  @Get()
  @ApiOperation({ operationId: 'listSources', summary: 'From where mail hosts are asked, and how that is taken' })
  @ApiOkResponse({ type: EgressReply })
  async list(): Promise<EgressReply> {
    return { sources: (await this.egress.list()).map(egressSourceReply) };
  }

  @Post(':id/drain')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('source_not_found')
  @ApiParam(NAME)
  @ApiOperation({
    operationId: 'drainSource',
    summary: 'Let a source ask only where it has to come back',
    description:
      'Hosts that greylist know the address that they have seen. It holds on all processes within two seconds.',
  })
  @ApiOkResponse({ type: EgressSourceReply })
  async drain(
    @Administrator() actor: Actor,
    @Param('id') name: string,
    @Body() { reason }: ReasonRequest,
  ): Promise<EgressSourceReply> {
    return egressSourceReply(await this.egress.stop(actor, name, { condition: 'drained', reason }));
  }

  @Post(':id/pause')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('source_not_found')
  @ApiParam(NAME)
  @ApiOperation({ operationId: 'pauseSource', summary: 'Let a source ask nobody' })
  @ApiOkResponse({ type: EgressSourceReply })
  async pause(
    @Administrator() actor: Actor,
    @Param('id') name: string,
    @Body() { reason }: ReasonRequest,
  ): Promise<EgressSourceReply> {
    return egressSourceReply(await this.egress.stop(actor, name, { condition: 'paused', reason }));
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('source_not_found')
  @ApiParam(NAME)
  @ApiOperation({
    operationId: 'resumeSource',
    summary: 'Let a source ask again',
    description: 'One that rests by itself asks again too, until the next look at the block lists.',
  })
  @ApiOkResponse({ type: EgressSourceReply })
  async resume(@Administrator() actor: Actor, @Param('id') name: string): Promise<EgressSourceReply> {
    return egressSourceReply(await this.egress.resume(actor, name));
  }

  @Post(':id/test')
  @InTurn(false)
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('source_not_found')
  @ApiParam(NAME)
  @ApiOperation({
    operationId: 'testSource',
    summary: 'Look at a source now, as mail hosts do',
    description:
      'HELO name, reverse name, SPF and block lists, by the resolver of this installation. It takes some seconds.',
  })
  @ApiOkResponse({ type: EgressSourceReply })
  async test(@Administrator() actor: Actor, @Param('id') name: string): Promise<EgressSourceReply> {
    return egressSourceReply(await this.egress.test(actor, name));
  }
}
