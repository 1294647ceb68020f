import { Query } from '@nestjs/common';
import { ErasureReceipts } from '../../privacy/erasure-receipts.js';
import { ErasuresQuery, WorkErasurePageReply, workErasureReply } from '../bodies/erasure-page.reply.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { pageReply } from '../../platform/http/page.js';

/** Erasures of all accounts: which of them wait, fail or have failed. */
@AdminRoutes('erasures', { tag: 'Work' })
export class AdminErasuresController {
  constructor(private readonly erasures: ErasureReceipts) {}

  @AdminRoute.get('', 'listAllErasures', 'Erasures of all accounts, newest first', {
    needs: 'read',
    ok: WorkErasurePageReply,
  })
  async list(@Query() query: ErasuresQuery): Promise<WorkErasurePageReply> {
    const page = await this.erasures.listAll(query.account_id ?? null, query.status ?? null, query);
    return pageReply('erasures', page, workErasureReply);
  }
}
