import { Injectable } from '@nestjs/common';
import { auditEntryReply } from '../../audit/audit.reply.js';
import { KeptChecks } from '../../blacklists/kept-checks.service.js';
import { KeptDomainChecks } from '../../domains/kept-domain-checks.service.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { AuditLogService } from '../../platform/audit/audit-log.service.js';
import { everyRow } from '../../platform/http/files/every-row.js';
import { suppressionReply } from '../../suppressions/suppression.reply.js';
import { SuppressionsService } from '../../suppressions/suppressions.service.js';
import { KeptPlacementTests } from '../../placement/tests/kept-placement-tests.service.js';
import { testReply } from '../../placement/tests/test-reply.js';
import { erasureReply } from '../erasures/erasure.reply.js';
import { ErasureReceipts } from '../erasures/erasure-receipts.service.js';
import { ExportedMonitors } from './exported-monitors.service.js';
import { lineOf } from './line-of.js';

const EVER = new Date(0);

/** What was written down of an account's acts, its suppression list, its receipts, its checks, its placement tests, and its monitors. */
@Injectable()
export class ExportedRecords {
  constructor(
    private readonly audit: AuditLogService,
    private readonly suppressions: SuppressionsService,
    private readonly erasures: ErasureReceipts,
    private readonly checks: KeptChecks,
    private readonly domains: KeptDomainChecks,
    private readonly monitors: ExportedMonitors,
    private readonly placement: KeptPlacementTests,
  ) {}

  async *lines(principal: Principal): AsyncGenerator<object, void> {
    const owner = ownerOf(principal);
    for await (const entry of everyRow((page) => this.audit.list(owner, page)))
      yield lineOf('audit_entry', auditEntryReply(entry));
    for await (const entry of everyRow((page) => this.suppressions.list(owner, page)))
      yield lineOf('suppression', suppressionReply(entry));
    for await (const erasure of everyRow((page) => this.erasures.listOf(owner, page)))
      yield lineOf('erasure', erasureReply(erasure));
    for await (const { id, results, creditsCharged, createdAt } of everyRow((page) =>
      this.checks.list(owner, page, EVER),
    ))
      yield lineOf('blacklist_check', {
        id,
        results,
        credits_charged: creditsCharged,
        checked_at: createdAt.toISOString(),
      });
    for await (const { id, domain, result, creditsCharged, createdAt } of everyRow((page) =>
      this.domains.list(owner, page),
    ))
      yield lineOf('domain_check', {
        id,
        domain,
        ...result,
        credits_charged: creditsCharged,
        checked_at: createdAt.toISOString(),
      });
    yield* this.monitors.lines(owner);
    for await (const test of everyRow((page) => this.placement.list(owner, page)))
      yield lineOf('placement_test', testReply(await this.placement.seen(test)));
  }
}
