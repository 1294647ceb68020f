import { Query } from '@nestjs/common';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { PageQuery, pageReply } from '../platform/http/page.js';
import { OwnershipService } from './ownership.service.js';
import { ReportedPeriodQuery } from './reports.dto.js';
import {
  DmarcReportPageReply,
  OwnershipReply,
  ReportedSourcesReply,
  reportReply,
  sourceReply,
} from './reports.reply.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { IdParam } from '../platform/http/id-params.js';
import { DmarcReportsService } from './dmarc-reports.service.js';
import { UnreadableReportPageReply, unreadableReply } from './unreadable-reports.reply.js';

@Routes('api/v1/monitors/:id', { tag: 'Deliverability', for: 'full' })
export class ReportsController {
  constructor(
    private readonly ownership: OwnershipService,
    private readonly kept: DmarcReportsService,
  ) {}

  @Route.post(
    'verify-ownership',
    'verifyMonitorOwnership',
    'Look for the record that proves whose a domain is, which then has an address for its reports',
    { needs: 'deliverability', ok: OwnershipReply, errors: ['monitor_without_domain'] },
  )
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

  @Route.get('reports', 'listDmarcReports', 'Aggregate reports about a domain, newest first', {
    needs: 'deliverability',
    ok: DmarcReportPageReply,
  })
  async listReports(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: PageQuery,
  ): Promise<DmarcReportPageReply> {
    const days = caller.policy.monitorDays;
    return pageReply('reports', await this.kept.list(ownerOf(caller), id, query, days), reportReply);
  }

  @Route.get('sources', 'listDmarcSources', "Who sent in a domain's name, and how it fared", {
    needs: 'deliverability',
    ok: ReportedSourcesReply,
  })
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

@Routes('api/v1/monitors/:id/reports', { tag: 'Deliverability', for: 'full' })
export class UnreadableReportsController {
  constructor(private readonly kept: DmarcReportsService) {}

  @Route.get(
    'unreadable',
    'listUnreadableReports',
    'Emails to the address for reports that could not be read or kept, and why, newest first',
    { needs: 'deliverability', ok: UnreadableReportPageReply },
  )
  async list(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: PageQuery,
  ): Promise<UnreadableReportPageReply> {
    const { items, nextCursor, count } = await this.kept.unreadable(ownerOf(caller), id, query);
    return { count, unreadable: items.map(unreadableReply), next_cursor: nextCursor };
  }
}
