import { Body, Query } from '@nestjs/common';
import { timeOrNull } from '../../keys/key-fields.js';
import { PageQuery } from '../../platform/http/page.js';
import { type Actor, Administrator } from '../actor.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import { OptOutPageReply, optOutPageReply, OptOutReply, optOutReply, OptOutRequest } from '../bodies/opt-out.reply.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { NameParam } from '../../platform/http/id-params.js';
import type { EntityManager } from 'typeorm';
import { OptOutsService } from '../../sending/opt-outs/opt-outs.service.js';
import { AuditService } from '../audit.service.js';

const OptOutId = () => NameParam('opt_out_not_found', { schema: { type: 'string', format: 'uuid' } });

/** Domains and mail hosts that nobody asks any more, since their postmasters want it so. */
@AdminRoutes('opt-outs', { tag: 'Egress', inTurn: 'opt-outs' })
export class AdminOptOutsController {
  constructor(
    private readonly optOuts: OptOutsService,
    private readonly audit: AuditService,
  ) {}

  @AdminRoute.get('', 'listOptOuts', 'Domains and mail hosts that are left alone, newest first', {
    needs: 'read',
    ok: OptOutPageReply,
  })
  async list(@Query() query: PageQuery) {
    return optOutPageReply(await this.optOuts.list(query));
  }

  @AdminRoute.post('', 'addOptOut', 'Leave a domain or a mail host alone', {
    description: 'It holds on all processes within ten seconds, for batches under way too.',
    needs: 'support',
    created: OptOutReply,
  })
  async add(@Administrator() actor: Actor, @Body() { kind, name, reason, until }: OptOutRequest) {
    const wanted = { kind, name, reason, endsAt: timeOrNull(until), madeBy: actor.name };
    const add = (tx: EntityManager) => this.optOuts.add(tx, wanted);
    const added = await this.audit.audited(actor, 'opt_out.add', add, (made) => ({
      details: { kind: made.kind, name: made.name, reason: made.reason, until: made.endsAt.toISOString() },
    }));
    this.optOuts.alert(added);
    return optOutReply(added);
  }

  @AdminRoute.post(':id/remove', 'removeOptOut', 'Let a domain or mail host be asked again', {
    needs: 'support',
    ok: OptOutReply,
  })
  async remove(@Administrator() actor: Actor, @OptOutId() id: string, @Body() { reason }: ReasonRequest) {
    const remove = (tx: EntityManager) => this.optOuts.remove(tx, id);
    const gone = await this.audit.audited(actor, 'opt_out.remove', remove, ({ kind, name }) => ({
      details: { kind, name, reason },
    }));
    return optOutReply(gone);
  }
}
