import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { ID_SCHEMA, IdParam } from '../platform/http/id-params.js';
import { PageQuery } from '../platform/http/page.js';
import { DmarcReportsService } from './dmarc-reports.service.js';
import { unreadableReply, UnreadableReportPageReply } from './unreadable-reports.reply.js';

@ApiTags('Deliverability')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/monitors/:id/reports')
export class UnreadableReportsController {
  constructor(private readonly kept: DmarcReportsService) {}

  @Get('unreadable')
  @ApiParam({ name: 'id', schema: ID_SCHEMA })
  @ApiOkResponse({ type: UnreadableReportPageReply })
  @ApiErrors('monitor_not_found')
  @ApiOperation({
    operationId: 'listUnreadableReports',
    summary: 'Emails to the address for reports that could not be read or kept, and why, newest first',
  })
  async list(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: PageQuery,
  ): Promise<UnreadableReportPageReply> {
    const { items, nextCursor, count } = await this.kept.unreadable(ownerOf(caller), id, query);
    return { count, unreadable: items.map(unreadableReply), next_cursor: nextCursor };
  }
}
