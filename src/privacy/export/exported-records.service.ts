import { Injectable } from '@nestjs/common';
import { auditEntryReply } from '../../audit/audit.reply.js';
import { creditEntryReply } from '../../credits/balance/credit-history.reply.js';
import { CreditHistoryService } from '../../credits/balance/credit-history.service.js';
import { UsageService } from '../../credits/usage/usage.service.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { AuditLogService } from '../../platform/audit/audit-log.service.js';
import { everyRow } from '../../platform/http/files/every-row.js';
import { ReuseService } from '../../reuse/reuse.service.js';
import { suppressionReply } from '../../suppressions/suppression.reply.js';
import { SuppressionsService } from '../../suppressions/suppressions.service.js';
import { lineOf } from './line-of.js';
import { erasureReply } from '../erasures/erasure.reply.js';
import { ErasureReceipts } from '../erasures/erasure-receipts.service.js';

/** What was written down of an account, and what it has chosen. */
@Injectable()
export class ExportedRecords {
  constructor(
    private readonly ledger: CreditHistoryService,
    private readonly usage: UsageService,
    private readonly audit: AuditLogService,
    private readonly suppressions: SuppressionsService,
    private readonly reuse: ReuseService,
    private readonly erasures: ErasureReceipts,
  ) {}

  async *lines(principal: Principal): AsyncGenerator<object, void> {
    const owner = ownerOf(principal);
    yield {
      type: 'settings',
      reuse: await this.reuse.isOn(owner),
      report_in_verify: await this.suppressions.reportsInVerify(owner),
    };
    for await (const entry of everyRow((page) => this.ledger.list(principal, page)))
      yield lineOf('ledger_entry', creditEntryReply(entry));
    for await (const { keyId, freeCredits, ...day } of this.usage.everyDay(principal))
      yield { type: 'usage', ...day, key_id: keyId, free_credits: freeCredits };
    for await (const entry of everyRow((page) => this.audit.list(owner, page)))
      yield lineOf('audit_entry', auditEntryReply(entry));
    for await (const entry of everyRow((page) => this.suppressions.list(owner, page)))
      yield lineOf('suppression', suppressionReply(entry));
    for await (const erasure of everyRow((page) => this.erasures.listOf(owner, page)))
      yield lineOf('erasure', erasureReply(erasure));
  }
}
