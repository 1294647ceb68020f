import { Body, Param, Query } from '@nestjs/common';
import { PageQuery } from '../../platform/http/page.js';
import { hashesOf, SuppressRequest } from '../../suppressions/suppressions.dto.js';
import {
  SUPPRESSION_ID,
  SuppressedReply,
  suppressedReply,
  SuppressionPageReply,
  suppressionPageReply,
} from '../../suppressions/suppression.reply.js';
import { type Actor, Administrator } from '../actor.js';
import { SuppressionAdministrationService } from '../suppression-administration.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';

@AdminRoutes('suppressions', { tag: 'Global suppressions', inTurn: true })
export class AdminSuppressionsController {
  constructor(private readonly suppressions: SuppressionAdministrationService) {}

  @AdminRoute.post('', 'suppressForAll', 'Keep people from being found by any account', {
    needs: 'support',
    created: SuppressedReply,
  })
  async add(@Administrator() actor: Actor, @Body() request: SuppressRequest): Promise<SuppressedReply> {
    return suppressedReply(await this.suppressions.add(actor, hashesOf(request), request.reason ?? null));
  }

  @AdminRoute.get('', 'listGlobalSuppressions', 'The suppression list of all accounts, newest first', {
    needs: 'read',
    ok: SuppressionPageReply,
  })
  async list(@Query() query: PageQuery): Promise<SuppressionPageReply> {
    return suppressionPageReply(await this.suppressions.list(query));
  }

  @AdminRoute.delete(':id', 'unsuppressForAll', 'Take an address off the list of all accounts', {
    needs: 'support',
    params: [SUPPRESSION_ID],
    noContent: 'Taken off the list.',
    errors: ['suppression_not_found'],
  })
  async remove(@Administrator() actor: Actor, @Param('id') id: string): Promise<void> {
    await this.suppressions.remove(actor, id);
  }
}
