import { Query } from '@nestjs/common';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { PageQuery, pageReply } from '../platform/http/page.js';
import { ReportedPeriodQuery } from './reports.dto.js';
import { TlsFailuresReply, tlsFailuresReply, TlsReportPageReply, tlsReportReply } from './tls-reports.reply.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { IdParam } from '../platform/http/id-params.js';
import { TlsReportsService } from './tls-reports.service.js';

@Routes('api/v1/monitors/:id', { tag: 'Deliverability', for: 'full' })
export class TlsReportsController {
  constructor(private readonly kept: TlsReportsService) {}

  @Route.get(
    'tls-reports',
    'listTlsReports',
    'Reports of senders on how they could encrypt mail to a domain, newest first',
    { needs: 'deliverability', ok: TlsReportPageReply },
  )
  async listReports(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: PageQuery,
  ): Promise<TlsReportPageReply> {
    const days = caller.policy.monitorDays;
    return pageReply('reports', await this.kept.list(ownerOf(caller), id, query, days), tlsReportReply);
  }

  @Route.get('tls-failures', 'listTlsFailures', 'Why senders could not encrypt mail to a domain, by mail host', {
    needs: 'deliverability',
    ok: TlsFailuresReply,
  })
  async listFailures(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() { from, to, limit }: ReportedPeriodQuery,
  ): Promise<TlsFailuresReply> {
    return tlsFailuresReply(await this.kept.failures(ownerOf(caller), id, { from, to, limit }));
  }
}
