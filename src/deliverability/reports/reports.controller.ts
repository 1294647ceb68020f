import { Query } from '@nestjs/common';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { Caller } from '../../keys/access/caller.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { IntegerInQuery, OptionalDay } from '../../platform/http/fields.js';
import { PageQuery } from '../../platform/http/page.js';
import { untrustedSentence } from '../../mail-dns/untrusted.js';
import { OwnershipService } from './ownership.service.js';
import { DmarcReportPageReply, OwnershipReply, ReportedSourcesReply } from './reports.reply.js';
import { TlsFailuresReply, TlsReportPageReply } from './tls-reports.reply.js';
import { TlsReportsService } from './tls-reports.service.js';
import { Route, Routes } from '../../keys/route.decorator.js';
import { IdParam } from '../../platform/http/id-params.js';
import { DmarcReportsService } from './dmarc-reports.service.js';
import { UnreadableReportPageReply, unreadableReply } from './unreadable-reports.reply.js';

const MAX_LISTED = 1_000;

class ReportedPeriodQuery {
  @OptionalDay('The first day (UTC) on which a period of a report begins; 29 days before `to` unless it is named.')
  readonly from?: string;

  @OptionalDay('The last day (UTC), included; today unless it is named.')
  readonly to?: string;

  @IntegerInQuery({ minimum: 1, maximum: MAX_LISTED, default: 100 })
  readonly limit?: number;
}

@Routes('api/v1/monitors/:id', { tag: 'Deliverability', for: 'full', needs: 'deliverability' })
export class ReportsController {
  constructor(
    private readonly ownership: OwnershipService,
    private readonly dmarc: DmarcReportsService,
    private readonly tls: TlsReportsService,
  ) {}

  @Route.post(
    'verify-ownership',
    'verifyMonitorOwnership',
    'Look for the record that proves whose a domain is, which then has an address for its reports',
    { ok: OwnershipReply, errors: ['monitor_without_domain'] },
  )
  async verifyOwnership(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<OwnershipReply> {
    const { isVerified, look, isUntrusted, record, address, domain } = await this.ownership.verify(
      ownerOf(caller),
      id,
      claim,
    );
    return {
      monitor_id: id,
      domain,
      verified: isVerified,
      look,
      unanswered_why: isUntrusted ? untrustedSentence('check', false) : null,
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
    ok: DmarcReportPageReply,
  })
  async listReports(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: PageQuery,
  ): Promise<DmarcReportPageReply> {
    const { items, nextCursor } = await this.dmarc.list(ownerOf(caller), id, query, caller.policy.monitorDays);
    return { reports: items, next_cursor: nextCursor };
  }

  @Route.get('sources', 'listDmarcSources', "Who sent in a domain's name, and how it fared", {
    ok: ReportedSourcesReply,
  })
  async listSources(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: ReportedPeriodQuery,
  ): Promise<ReportedSourcesReply> {
    return await this.dmarc.sources(ownerOf(caller), id, query);
  }

  @Route.get(
    'tls-reports',
    'listTlsReports',
    'Reports of senders on how they could encrypt mail to a domain, newest first',
    { ok: TlsReportPageReply },
  )
  async listTlsReports(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: PageQuery,
  ): Promise<TlsReportPageReply> {
    const { items, nextCursor } = await this.tls.list(ownerOf(caller), id, query, caller.policy.monitorDays);
    return { reports: items, next_cursor: nextCursor };
  }

  @Route.get('tls-failures', 'listTlsFailures', 'Why senders could not encrypt mail to a domain, by mail host', {
    ok: TlsFailuresReply,
  })
  async listFailures(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: ReportedPeriodQuery,
  ): Promise<TlsFailuresReply> {
    return await this.tls.failures(ownerOf(caller), id, query);
  }

  @Route.get(
    'reports/unreadable',
    'listUnreadableReports',
    'Emails to the address for reports that could not be read or kept, and why, newest first',
    { ok: UnreadableReportPageReply },
  )
  async listUnreadable(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: PageQuery,
  ): Promise<UnreadableReportPageReply> {
    const { items, nextCursor, count } = await this.dmarc.unreadable(ownerOf(caller), id, query);
    return { count, unreadable: items.map(unreadableReply), next_cursor: nextCursor };
  }
}
