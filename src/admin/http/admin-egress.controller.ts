import { Body } from '@nestjs/common';
import { type Actor, Administrator } from '../actor.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import { EgressReply, EgressSourceReply, egressSourceReply } from '../bodies/source.reply.js';
import { EgressAdministrationService } from '../egress-administration.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { NameParam } from '../../platform/http/id-params.js';

const SourceName = () =>
  NameParam('source_not_found', {
    description: 'The name of the source.',
    schema: { type: 'string', example: 'default' },
  });

/** Our own sending addresses. */
@AdminRoutes('egress', { tag: 'Egress', inTurn: 'egress' })
export class AdminEgressController {
  constructor(private readonly egress: EgressAdministrationService) {}

  @AdminRoute.get('', 'listSources', 'From where mail hosts are asked, and how that is taken', {
    needs: 'read',
    ok: EgressReply,
  })
  async list() {
    return { sources: (await this.egress.list()).map(egressSourceReply) };
  }

  @AdminRoute.post(':id/drain', 'drainSource', 'Let a source ask only where it has to come back', {
    description:
      'Hosts that greylist know the address that they have seen. It holds on all processes within two seconds.',
    needs: 'support',
    ok: EgressSourceReply,
  })
  async drain(@Administrator() actor: Actor, @SourceName() name: string, @Body() { reason }: ReasonRequest) {
    return egressSourceReply(await this.egress.stop(actor, name, { condition: 'drained', reason }));
  }

  @AdminRoute.post(':id/pause', 'pauseSource', 'Let a source ask nobody', { needs: 'support', ok: EgressSourceReply })
  async pause(@Administrator() actor: Actor, @SourceName() name: string, @Body() { reason }: ReasonRequest) {
    return egressSourceReply(await this.egress.stop(actor, name, { condition: 'paused', reason }));
  }

  @AdminRoute.post(':id/resume', 'resumeSource', 'Let a source ask again', {
    description: 'One that rests by itself asks again too, until the next look at the block lists.',
    needs: 'support',
    ok: EgressSourceReply,
  })
  async resume(@Administrator() actor: Actor, @SourceName() name: string) {
    return egressSourceReply(await this.egress.resume(actor, name));
  }

  @AdminRoute.post(':id/test', 'testSource', 'Look at a source now, as mail hosts do', {
    description:
      'HELO name, reverse name, SPF and block lists, by the resolver of this installation. It takes some seconds.',
    needs: 'support',
    inTurn: false,
    ok: EgressSourceReply,
  })
  async test(@Administrator() actor: Actor, @SourceName() name: string) {
    return egressSourceReply(await this.egress.test(actor, name));
  }
}
