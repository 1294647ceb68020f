import { Injectable } from '@nestjs/common';
import { auditEntryReply } from '../../audit/audit.reply.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { AuditLogService } from '../../platform/audit/audit-log.service.js';
import { everyRow } from '../../platform/http/files/every-row.js';
import { suppressionReply } from '../../suppressions/suppression.reply.js';
import { SuppressionsService } from '../../suppressions/suppressions.service.js';
import { erasureReply } from '../erasure.reply.js';
import { ErasureReceipts } from '../erasure-receipts.js';
import { ExportedDeliverability } from './exported-deliverability.service.js';
import { lineOf } from './line-of.js';

/** What was written down of an account's acts, its suppression list, its receipts, and of its mail's way. */
@Injectable()
export class ExportedRecords {
  constructor(
    private readonly audit: AuditLogService,
    private readonly suppressions: SuppressionsService,
    private readonly erasures: ErasureReceipts,
    private readonly deliverability: ExportedDeliverability,
  ) {}

  async *lines(principal: Principal): AsyncGenerator<object, void> {
    const owner = ownerOf(principal);
    for await (const entry of everyRow((page) => this.audit.list(owner, page)))
      yield lineOf('audit_entry', auditEntryReply(entry));
    for await (const entry of everyRow((page) => this.suppressions.list(owner, page)))
      yield lineOf('suppression', suppressionReply(entry));
    for await (const erasure of everyRow((page) => this.erasures.listOf(owner, page)))
      yield lineOf('erasure', erasureReply(erasure));
    yield* this.deliverability.lines(owner);
  }
}
