import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { ApiIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { ApiErrors } from '../platform/errors/api-errors.decorator.js';
import { ID_SCHEMA, IdParam } from '../platform/http/id-params.js';
import { PageQuery } from '../platform/http/page.js';
import { OwnershipService } from './ownership.service.js';
import { DmarcReportsService } from './dmarc-reports.service.js';
import { ReportedPeriodQuery } from './reports.dto.js';
import {
  DmarcReportPageReply,
  OwnershipReply,
  ReportedSourcesReply,
  reportReply,
  sourceReply,
} from './reports.reply.js';

@ApiTags('Deliverability')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/monitors/:id')
export class ReportsController {
  constructor(
    private readonly ownership: OwnershipService,
    private readonly kept: DmarcReportsService,
  ) {}

  @Post('verify-ownership')
  @HttpCode(200)
  @ApiParam({ name: 'id', schema: ID_SCHEMA })
  @ApiIdempotencyKey()
  @ApiOkResponse({ type: OwnershipReply })
  @ApiErrors('monitor_not_found', 'monitor_without_domain')
  @ApiOperation({
    operationId: 'verifyMonitorOwnership',
    summary: 'Look for the record that proves whose a domain is, which then has an address for its reports',
  })
  async verifyOwnership(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<OwnershipReply> {
    const { isVerified, look, record, address, domain } = await this.ownership.verify(ownerOf(caller), id, claim);
    return {
      monitor_id: id,
      domain,
      verified: isVerified,
      look,
      record: { name: `${record.name}.`, type: 'TXT', value: record.value },
      report_address: address,
      dmarc_tag: address === null ? null : `rua=mailto:${address}`,
      tls_record:
        address === null
          ? null
          : { name: `_smtp._tls.${domain}.`, type: 'TXT', value: `v=TLSRPTv1; rua=mailto:${address}` },
    };
  }

  @Get('reports')
  @ApiParam({ name: 'id', schema: ID_SCHEMA })
  @ApiOkResponse({ type: DmarcReportPageReply })
  @ApiErrors('monitor_not_found')
  @ApiOperation({ operationId: 'listDmarcReports', summary: 'Aggregate reports about a domain, newest first' })
  async listReports(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: PageQuery,
  ): Promise<DmarcReportPageReply> {
    const days = caller.policy.monitorDays;
    const { items, nextCursor } = await this.kept.list(ownerOf(caller), id, query, days);
    return { reports: items.map(reportReply), next_cursor: nextCursor };
  }

  @Get('sources')
  @ApiParam({ name: 'id', schema: ID_SCHEMA })
  @ApiOkResponse({ type: ReportedSourcesReply })
  @ApiErrors('monitor_not_found')
  @ApiOperation({ operationId: 'listDmarcSources', summary: "Who sent in a domain's name, and how it fared" })
  async listSources(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() { from, to, limit }: ReportedPeriodQuery,
  ): Promise<ReportedSourcesReply> {
    const found = await this.kept.sources(ownerOf(caller), id, { from, to, limit });
    return {
      from: found.from.toISOString(),
      to: found.to.toISOString(),
      reports_left_out: found.leftOut,
      sources: found.sources.map(sourceReply),
    };
  }
}
