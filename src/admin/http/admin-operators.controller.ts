import { Body, Param } from '@nestjs/common';
import { timeOrNull } from '../../keys/key-fields.js';
import { type Actor, Administrator } from '../actor.js';
import { PauseOperatorRequest } from '../bodies/admin.dto.js';
import { OperatorReply, operatorReply, OperatorsReply } from '../bodies/operator.reply.js';
import { OperatorAdministrationService } from '../operator-administration.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';

const NAME = {
  name: 'id',
  description: 'The name of the operator.',
  schema: { type: 'string', example: 'google' },
} as const;

/** Mail operators, and whether we talk to them. */
@AdminRoutes('operators', { tag: 'Operators', inTurn: true })
export class AdminOperatorsController {
  constructor(private readonly operators: OperatorAdministrationService) {}

  @AdminRoute.get('', 'listOperators', 'Mail operators, and which are paused', { needs: 'read', ok: OperatorsReply })
  async list(): Promise<OperatorsReply> {
    return { operators: (await this.operators.list()).map(operatorReply) };
  }

  @AdminRoute.post(':id/pause', 'pauseOperator', 'Open no connection to a mail operator any more', {
    description: 'It holds on all processes within two seconds.',
    needs: 'support',
    params: [NAME],
    ok: OperatorReply,
    errors: ['operator_not_found'],
  })
  async pause(
    @Administrator() actor: Actor,
    @Param('id') name: string,
    @Body() { reason, until }: PauseOperatorRequest,
  ): Promise<OperatorReply> {
    return operatorReply(await this.operators.pause(actor, name, { reason, until: timeOrNull(until) }));
  }

  @AdminRoute.post(':id/resume', 'resumeOperator', 'Let a mail operator be asked again', {
    needs: 'support',
    params: [NAME],
    ok: OperatorReply,
    errors: ['operator_not_found'],
  })
  async resume(@Administrator() actor: Actor, @Param('id') name: string): Promise<OperatorReply> {
    return operatorReply(await this.operators.resume(actor, name));
  }
}
