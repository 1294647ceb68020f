import { Body, Controller, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireAdmin } from '../../keys/access/audience.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { UuidParam } from '../../platform/http/id-params.js';
import { FoundReply, foundReply, SearchReply, searchReply } from '../bodies/search.reply.js';
import { LookupRequest, SearchQuery } from '../bodies/admin.dto.js';
import { SearchService } from '../search.service.js';

/** From what somebody has at hand to whose it is. */
@ApiTags('Search')
@ApiBearerAuth()
@RequireAdmin()
@Controller('admin/v1')
export class AdminSearchController {
  constructor(
    private readonly service: SearchService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Get('search')
  @ApiOperation({
    operationId: 'search',
    summary: 'What a text belongs to',
    description:
      'A token of a key or of a claim, or a line of a log that holds one, the last four of a token, the id of an account, key or batch, the address or network that agents registered from, or part of a name or contact. A token is compared by its hash, and kept and logged nowhere.',
  })
  @ApiOkResponse({ type: SearchReply })
  async search(@Query() { q }: SearchQuery): Promise<SearchReply> {
    return searchReply(await this.service.search(q), this.clock.now());
  }

  @Post('keys/lookup')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('key_not_found')
  @ApiOperation({ operationId: 'lookUpKey', summary: 'The key of a token, and whose it is' })
  @ApiOkResponse({ type: FoundReply })
  async lookUp(@Body() { token }: LookupRequest): Promise<FoundReply> {
    return foundReply(await this.service.getKeyOf(token), this.clock.now());
  }

  @Get('keys/:id')
  @ApiErrors('key_not_found')
  @ApiOperation({ operationId: 'getAnyKey', summary: 'A key, and whose it is' })
  @ApiOkResponse({ type: FoundReply })
  async showKey(@UuidParam('key_not_found') id: string): Promise<FoundReply> {
    return foundReply(await this.service.getKey(id), this.clock.now());
  }
}
