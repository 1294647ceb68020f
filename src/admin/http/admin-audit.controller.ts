import { Query } from '@nestjs/common';
import { AuditQuery } from '../bodies/admin.dto.js';
import { fileFormatOf, pageReply } from '../../platform/http/page.js';
import { everyRow } from '../../platform/http/listing.js';
import { type FileFormat, tableFile } from '../../platform/http/table-file.js';
import {
  ADMIN_AUDIT_COLUMNS,
  adminAuditEntryReply,
  AdminAuditPageReply,
  adminAuditRow,
} from '../bodies/audit-entry.reply.js';
import { type AuditEntry, AuditService } from '../audit.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';

@AdminRoutes('audit', { tag: 'Audit' })
export class AdminAuditController {
  constructor(private readonly audit: AuditService) {}

  @AdminRoute.get('', 'listAudit', 'What administrators and accounts changed, newest first', {
    needs: 'read',
    produces: ['application/json', 'text/csv', 'application/x-ndjson'],
    ok: AdminAuditPageReply,
  })
  async list(@Query() query: AuditQuery) {
    const accountId = query.account_id ?? null;
    const format = fileFormatOf(query);
    if (format === null) return pageReply('entries', await this.audit.list(accountId, query), adminAuditEntryReply);
    const entries = everyRow((page) => this.audit.list(accountId, page));
    return tableFile({ name: 'audit', format, columns: ADMIN_AUDIT_COLUMNS, rows: rowsOf(entries, format) });
  }
}

async function* rowsOf(entries: AsyncIterable<AuditEntry>, format: FileFormat): AsyncGenerator<object> {
  for await (const entry of entries) yield format === 'csv' ? adminAuditRow(entry) : adminAuditEntryReply(entry);
}
