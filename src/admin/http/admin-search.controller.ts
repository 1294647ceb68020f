import { Body, Inject, Query } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { LookupRequest, SearchQuery } from '../bodies/admin.dto.js';
import { FoundReply, foundReply, SearchReply, searchReply } from '../bodies/search.reply.js';
import { SearchService } from '../search.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { UuidParam } from '../../platform/http/id-params.js';

/** From what somebody has at hand to whose it is. */
@AdminRoutes('', { tag: 'Search', needs: 'read' })
export class AdminSearchController {
  constructor(
    private readonly service: SearchService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @AdminRoute.get('search', 'search', 'What a text belongs to', {
    description:
      'A token of a key or of a claim, or a line of a log that holds one, the last four of a token, the id of an account, key or batch, the address or network that agents registered from, or part of a name or contact. A token is compared by its hash, and kept and logged nowhere.',
    ok: SearchReply,
  })
  async search(@Query() { q }: SearchQuery) {
    return searchReply(await this.service.search(q), this.clock.now());
  }

  @AdminRoute.post('keys/lookup', 'lookUpKey', 'The key of a token, and whose it is', {
    ok: FoundReply,
    errors: ['key_not_found'],
  })
  async lookUp(@Body() { token }: LookupRequest) {
    return foundReply(await this.service.getKeyOf(token), this.clock.now());
  }

  @AdminRoute.get('keys/:id', 'getAnyKey', 'A key, and whose it is', { ok: FoundReply })
  async showKey(@UuidParam('key_not_found') id: string) {
    return foundReply(await this.service.getKey(id), this.clock.now());
  }
}
