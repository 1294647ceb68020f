import { Body, Query } from '@nestjs/common';
import { PageQuery, pageReply } from '../../platform/http/page.js';
import { hashesOf, SuppressRequest } from '../../suppressions/suppressions.dto.js';
import {
  SUPPRESSION_ID,
  SuppressedReply,
  suppressedReply,
  SuppressionPageReply,
  suppressionPageReply,
} from '../../suppressions/suppression.reply.js';
import { type Actor, Administrator } from '../actor.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { NameParam } from '../../platform/http/id-params.js';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit.service.js';
import { EVERYBODY, SuppressionsService } from '../../suppressions/suppressions.service.js';
import { ErasureReceipts } from '../../privacy/erasure-receipts.js';
import { ErasuresQuery, WorkErasurePageReply, workErasureReply } from '../bodies/erasure-page.reply.js';

@AdminRoutes('suppressions', { tag: 'Global suppressions', inTurn: 'suppressions' })
export class AdminSuppressionsController {
  constructor(
    private readonly suppressions: SuppressionsService,
    private readonly audit: AuditService,
  ) {}

  @AdminRoute.post('', 'suppressForAll', 'Keep people from being found by any account', {
    needs: 'support',
    created: SuppressedReply,
  })
  async add(@Administrator() actor: Actor, @Body() request: SuppressRequest) {
    const { reason = null } = request;
    const hashes = hashesOf(request);
    const add = (tx: EntityManager) => this.suppressions.add(EVERYBODY, hashes, reason, tx);
    const done = await this.audit.audited(actor, 'suppression.add', add, ({ added }) => ({
      details: { added, hashes: hashes.map((hash) => hash.toString('hex')), reason },
    }));
    return suppressedReply(done);
  }

  @AdminRoute.get('', 'listGlobalSuppressions', 'The suppression list of all accounts, newest first', {
    needs: 'read',
    ok: SuppressionPageReply,
  })
  async list(@Query() query: PageQuery) {
    return suppressionPageReply(await this.suppressions.list(EVERYBODY, query));
  }

  @AdminRoute.delete(':id', 'unsuppressForAll', 'Take an address off the list of all accounts', {
    needs: 'support',
    noContent: 'Taken off the list.',
  })
  async remove(@Administrator() actor: Actor, @NameParam('suppression_not_found', SUPPRESSION_ID) id: string) {
    const remove = (tx: EntityManager) => this.suppressions.remove(EVERYBODY, id, tx);
    await this.audit.audited(actor, 'suppression.remove', remove, (hash) => ({
      details: { hash: hash.toString('hex') },
    }));
  }
}

/** Erasures of all accounts: which of them wait, fail or have failed. */
@AdminRoutes('erasures', { tag: 'Work' })
export class AdminErasuresController {
  constructor(private readonly erasures: ErasureReceipts) {}

  @AdminRoute.get('', 'listAllErasures', 'Erasures of all accounts, newest first', {
    needs: 'read',
    ok: WorkErasurePageReply,
  })
  async list(@Query() query: ErasuresQuery) {
    const page = await this.erasures.listAll(query.account_id ?? null, query.status ?? null, query);
    return pageReply('erasures', page, workErasureReply);
  }
}
