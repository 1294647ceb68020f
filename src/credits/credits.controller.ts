import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../keys/audience.js';
import { Caller } from '../keys/caller.js';
import type { Principal } from '../keys/principal.js';
import { PageQuery } from '../platform/http/page.js';
import { Present } from '../presenting/present.decorator.js';
import { CreditHistoryReply, creditHistoryReply } from './credit-history-reply.js';
import { CreditHistoryService } from './credit-history.service.js';
import { CreditsService, type CreditStanding } from './credits.service.js';

@ApiTags('Credits')
@ApiBearerAuth()
@Controller('api/v1/credits')
export class CreditsController {
  constructor(
    private readonly credits: CreditsService,
    private readonly ledger: CreditHistoryService,
  ) {}

  @Get()
  @Present('credits')
  @ApiOperation({ operationId: 'getCredits', summary: 'The credits that are left' })
  standing(@Caller() caller: Principal): Promise<CreditStanding> {
    return this.credits.getStanding(caller);
  }

  @Get('history')
  @RequireFullAccount()
  @ApiOperation({ operationId: 'listCreditHistory', summary: 'Every change of the balance, the newest first' })
  @ApiOkResponse({ type: CreditHistoryReply })
  async history(@Caller() caller: Principal, @Query() page: PageQuery): Promise<CreditHistoryReply> {
    return creditHistoryReply(await this.ledger.list(caller, page));
  }
}
