import { Body } from '@nestjs/common';
import { type Actor, Administrator } from '../actor.js';
import { BlacklistAdministrationService } from '../blacklist-administration.service.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import { watchedListReply, WatchedListReply, WatchedListsReply } from '../bodies/blacklist.reply.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { NameParam } from '../../platform/http/id-params.js';

const BlacklistId = () => NameParam('blacklist_not_found', { schema: { type: 'string' }, example: 'psbl' });

/** Block lists: whether they work, and which of them nobody may ask. */
@AdminRoutes('blacklists', { tag: 'Deliverability', inTurn: 'blacklists' })
export class AdminBlacklistsController {
  constructor(private readonly lists: BlacklistAdministrationService) {}

  @AdminRoute.get('', 'listWatchedBlacklists', 'Block lists, their health and its changes', {
    needs: 'read',
    ok: WatchedListsReply,
  })
  async list() {
    return { blacklists: (await this.lists.list()).map(watchedListReply) };
  }

  @AdminRoute.post(':id/test', 'testBlacklist', 'Ask a block list for its test points now', {
    description: 'Nothing is asked where this installation may not ask the list.',
    needs: 'support',
    inTurn: false,
    ok: WatchedListReply,
  })
  async test(@Administrator() actor: Actor, @BlacklistId() id: string) {
    return watchedListReply(await this.lists.test(actor, id));
  }

  @AdminRoute.post(':id/turn-off', 'turnBlacklistOff', 'Let nobody ask a block list', {
    needs: 'support',
    ok: WatchedListReply,
  })
  async turnOff(@Administrator() actor: Actor, @BlacklistId() id: string, @Body() { reason }: ReasonRequest) {
    return watchedListReply(await this.lists.turnOff(actor, id, reason));
  }

  @AdminRoute.post(':id/turn-on', 'turnBlacklistOn', 'Let a block list be asked again', {
    needs: 'support',
    ok: WatchedListReply,
  })
  async turnOn(@Administrator() actor: Actor, @BlacklistId() id: string) {
    return watchedListReply(await this.lists.turnOn(actor, id));
  }
}
