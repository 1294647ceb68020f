import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { PageQuery } from '../platform/http/page.js';
import { Present } from '../presenting/present.decorator.js';
import { CreditHistoryReply, creditHistoryReply } from './balance/credit-history.reply.js';
import { CreditHistoryService } from './balance/credit-history.service.js';
import { CreditsService, type CreditStatus } from './credits.service.js';

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
  status(@Caller() caller: Principal): Promise<CreditStatus> {
    return this.credits.getStatus(caller);
  }

  @Get('history')
  @RequireFullAccount()
  @ApiOperation({ operationId: 'listCreditHistory', summary: 'Every change of the balance, the newest first' })
  @ApiOkResponse({ type: CreditHistoryReply })
  async history(@Caller() caller: Principal, @Query() page: PageQuery): Promise<CreditHistoryReply> {
    return creditHistoryReply(await this.ledger.list(caller, page));
  }
}
