import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { RequireAdmin } from '../../keys/access/audience.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { InTurn } from '../../keys/limits/in-turn.interceptor.js';
import { type Actor, Administrator } from '../actor.js';
import { BlacklistAdministrationService } from '../blacklist-administration.service.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import { watchedListReply, WatchedListReply, WatchedListsReply } from '../bodies/blacklist.reply.js';

const ID = { name: 'id', schema: { type: 'string' }, example: 'psbl' } as const;

/** Block lists: whether they work, and which of them nobody may ask. */
@ApiTags('Deliverability')
@ApiBearerAuth()
@RequireAdmin()
@InTurn()
@Controller('admin/v1/blacklists')
export class AdminBlacklistsController {
  constructor(private readonly lists: BlacklistAdministrationService) {}

  @Get()
  @ApiOperation({ operationId: 'listWatchedBlacklists', summary: 'Block lists, their health and its changes' })
  @ApiOkResponse({ type: WatchedListsReply })
  async list(): Promise<WatchedListsReply> {
    return { blacklists: (await this.lists.list()).map(watchedListReply) };
  }

  @Post(':id/test')
  @InTurn(false)
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiParam(ID)
  @ApiErrors('blacklist_not_found')
  @ApiOperation({
    operationId: 'testBlacklist',
    summary: 'Ask a block list for its test points now',
    description: 'Nothing is asked where this installation may not ask the list.',
  })
  @ApiOkResponse({ type: WatchedListReply })
  async test(@Administrator() actor: Actor, @Param('id') id: string): Promise<WatchedListReply> {
    return watchedListReply(await this.lists.test(actor, id));
  }

  @Post(':id/turn-off')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiParam(ID)
  @ApiErrors('blacklist_not_found')
  @ApiOperation({ operationId: 'turnBlacklistOff', summary: 'Let nobody ask a block list' })
  @ApiOkResponse({ type: WatchedListReply })
  async turnOff(
    @Administrator() actor: Actor,
    @Param('id') id: string,
    @Body() { reason }: ReasonRequest,
  ): Promise<WatchedListReply> {
    return watchedListReply(await this.lists.turnOff(actor, id, reason));
  }

  @Post(':id/turn-on')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiParam(ID)
  @ApiErrors('blacklist_not_found')
  @ApiOperation({ operationId: 'turnBlacklistOn', summary: 'Let a block list be asked again' })
  @ApiOkResponse({ type: WatchedListReply })
  async turnOn(@Administrator() actor: Actor, @Param('id') id: string): Promise<WatchedListReply> {
    return watchedListReply(await this.lists.turnOn(actor, id));
  }
}
