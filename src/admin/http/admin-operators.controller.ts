import { Body } from '@nestjs/common';
import { timeOrNull } from '../../keys/key-fields.js';
import { type Actor, Administrator } from '../actor.js';
import { PauseOperatorRequest } from '../bodies/admin.dto.js';
import { OperatorReply, operatorReply, OperatorsReply } from '../bodies/operator.reply.js';
import { OperatorAdministrationService } from '../operator-administration.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { NameParam } from '../../platform/http/id-params.js';

const OperatorName = () =>
  NameParam('operator_not_found', {
    description: 'The name of the operator.',
    schema: { type: 'string', example: 'google' },
  });

/** Mail operators, and whether we talk to them. */
@AdminRoutes('operators', { tag: 'Operators', inTurn: 'operators' })
export class AdminOperatorsController {
  constructor(private readonly operators: OperatorAdministrationService) {}

  @AdminRoute.get('', 'listOperators', 'Mail operators, and which are paused', { needs: 'read', ok: OperatorsReply })
  async list() {
    return { operators: (await this.operators.list()).map(operatorReply) };
  }

  @AdminRoute.post(':id/pause', 'pauseOperator', 'Open no connection to a mail operator any more', {
    description: 'It holds on all processes within two seconds.',
    needs: 'support',
    ok: OperatorReply,
  })
  async pause(
    @Administrator() actor: Actor,
    @OperatorName() name: string,
    @Body() { reason, until }: PauseOperatorRequest,
  ) {
    return operatorReply(await this.operators.pause(actor, name, { reason, until: timeOrNull(until) }));
  }

  @AdminRoute.post(':id/resume', 'resumeOperator', 'Let a mail operator be asked again', {
    needs: 'support',
    ok: OperatorReply,
  })
  async resume(@Administrator() actor: Actor, @OperatorName() name: string) {
    return operatorReply(await this.operators.resume(actor, name));
  }
}
