import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireAdmin } from '../../keys/access/audience.js';
import { timeOrNull } from '../../keys/key-fields.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { InTurn } from '../../keys/limits/in-turn.interceptor.js';
import { type Actor, Administrator } from '../actor.js';
import { PauseOperatorRequest } from '../bodies/admin.dto.js';
import { OperatorReply, operatorReply, OperatorsReply } from '../bodies/operator.reply.js';
import { OperatorAdministrationService } from '../operator-administration.service.js';

const NAME = {
  name: 'id',
  description: 'The name of the operator.',
  schema: { type: 'string', example: 'google' },
} as const;

/** Mail operators, and whether we talk to them. */
@ApiTags('Operators')
@ApiBearerAuth()
@RequireAdmin()
@InTurn()
@Controller('admin/v1/operators')
export class AdminOperatorsController {
  constructor(private readonly operators: OperatorAdministrationService) {}

  @Get()
  @ApiOperation({ operationId: 'listOperators', summary: 'Mail operators, and which are paused' })
  @ApiOkResponse({ type: OperatorsReply })
  async list(): Promise<OperatorsReply> {
    return { operators: (await this.operators.list()).map(operatorReply) };
  }

  @Post(':id/pause')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('operator_not_found')
  @ApiParam(NAME)
  @ApiOperation({
    operationId: 'pauseOperator',
    summary: 'Open no connection to a mail operator any more',
    description: 'It holds on all processes within two seconds.',
  })
  @ApiOkResponse({ type: OperatorReply })
  async pause(
    @Administrator() actor: Actor,
    @Param('id') name: string,
    @Body() { reason, until }: PauseOperatorRequest,
  ): Promise<OperatorReply> {
    return operatorReply(await this.operators.pause(actor, name, { reason, until: timeOrNull(until) }));
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('operator_not_found')
  @ApiParam(NAME)
  @ApiOperation({ operationId: 'resumeOperator', summary: 'Let a mail operator be asked again' })
  @ApiOkResponse({ type: OperatorReply })
  async resume(@Administrator() actor: Actor, @Param('id') name: string): Promise<OperatorReply> {
    return operatorReply(await this.operators.resume(actor, name));
  }
}
