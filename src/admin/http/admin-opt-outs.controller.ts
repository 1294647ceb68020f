import { Body, Param, Query } from '@nestjs/common';
import { timeOrNull } from '../../keys/key-fields.js';
import { PageQuery } from '../../platform/http/page.js';
import { type Actor, Administrator } from '../actor.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import {
  OptOutPageReply,
  optOutPageReply,
  OptOutReply,
  optOutReply,
  OptOutRequest,
} from '../bodies/egress/opt-out.reply.js';
import { OptOutAdministrationService } from '../egress/opt-out-administration.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';

const ID = { name: 'id', schema: { type: 'string', format: 'uuid' } } as const;

/** Domains and mail hosts that nobody asks any more, since their postmasters want it so. */
@AdminRoutes('opt-outs', { tag: 'Egress', inTurn: true })
export class AdminOptOutsController {
  constructor(private readonly optOuts: OptOutAdministrationService) {}

  @AdminRoute.get('', 'listOptOuts', 'Domains and mail hosts that are left alone, newest first', {
    needs: 'read',
    ok: OptOutPageReply,
  })
  async list(@Query() query: PageQuery): Promise<OptOutPageReply> {
    return optOutPageReply(await this.optOuts.list(query));
  }

  @AdminRoute.post('', 'addOptOut', 'Leave a domain or a mail host alone', {
    description: 'It holds on all processes within ten seconds, for batches under way too.',
    needs: 'support',
    created: OptOutReply,
  })
  async add(@Administrator() actor: Actor, @Body() { kind, name, reason, until }: OptOutRequest): Promise<OptOutReply> {
    return optOutReply(await this.optOuts.add(actor, { kind, name, reason, endsAt: timeOrNull(until) }));
  }

  @AdminRoute.post(':id/remove', 'removeOptOut', 'Let a domain or mail host be asked again', {
    needs: 'support',
    params: [ID],
    ok: OptOutReply,
    errors: ['opt_out_not_found'],
  })
  async remove(
    @Administrator() actor: Actor,
    @Param('id') id: string,
    @Body() { reason }: ReasonRequest,
  ): Promise<OptOutReply> {
    return optOutReply(await this.optOuts.remove(actor, id, reason));
  }
}
