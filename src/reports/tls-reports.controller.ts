import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { ID_SCHEMA, IdParam } from '../platform/http/id-params.js';
import { PageQuery } from '../platform/http/page.js';
import { TlsReportsService } from './tls-reports.service.js';
import { ReportedPeriodQuery } from './reports.dto.js';
import { TlsFailuresReply, tlsFailuresReply, TlsReportPageReply, tlsReportReply } from './tls-reports.reply.js';

@ApiTags('Deliverability')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/monitors/:id')
export class TlsReportsController {
  constructor(private readonly kept: TlsReportsService) {}

  @Get('tls-reports')
  @ApiParam({ name: 'id', schema: ID_SCHEMA })
  @ApiOkResponse({ type: TlsReportPageReply })
  @ApiErrors('monitor_not_found')
  @ApiOperation({
    operationId: 'listTlsReports',
    summary: 'Reports of senders on how they could encrypt mail to a domain, newest first',
  })
  async listReports(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: PageQuery,
  ): Promise<TlsReportPageReply> {
    const days = caller.policy.monitorDays;
    const { items, nextCursor } = await this.kept.list(ownerOf(caller), id, query, days);
    return { reports: items.map(tlsReportReply), next_cursor: nextCursor };
  }

  @Get('tls-failures')
  @ApiParam({ name: 'id', schema: ID_SCHEMA })
  @ApiOkResponse({ type: TlsFailuresReply })
  @ApiErrors('monitor_not_found')
  @ApiOperation({
    operationId: 'listTlsFailures',
    summary: 'Why senders could not encrypt mail to a domain, by mail host',
  })
  async listFailures(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() { from, to, limit }: ReportedPeriodQuery,
  ): Promise<TlsFailuresReply> {
    return tlsFailuresReply(await this.kept.failures(ownerOf(caller), id, { from, to, limit }));
  }
}
