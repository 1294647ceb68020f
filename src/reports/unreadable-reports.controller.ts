import { Query } from '@nestjs/common';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { PageQuery } from '../platform/http/page.js';
import { UnreadableReportPageReply, unreadableReply } from './unreadable-reports.reply.js';
import { Route, Routes } from '../keys/route.decorator.js';
import { IdParam } from '../platform/http/id-params.js';
import { DmarcReportsService } from './dmarc-reports.service.js';

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
