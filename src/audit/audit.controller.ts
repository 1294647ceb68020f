import { Query, type StreamableFile } from '@nestjs/common';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import type { AuditEntry } from '../platform/audit/audit-log.js';
import { AuditLogService } from '../platform/audit/audit-log.service.js';
import { FileQuery, fileFormatOf } from '../platform/http/page.js';
import { everyRow } from '../platform/http/listing.js';
import { type FileFormat, tableFile } from '../platform/http/table-file.js';
import { AUDIT_COLUMNS, auditEntryReply, AuditPageReply, auditPageReply, auditRow } from './audit.reply.js';
import { Route, Routes } from '../keys/route.decorator.js';

@Routes('api/v1/audit', { tag: 'Audit', for: 'full' })
export class AuditController {
  constructor(private readonly log: AuditLogService) {}

  @Route.get(
    '',
    'listActs',
    "What the account's keys changed, newest first; a test key sees what test keys did, a live key the rest",
    { needs: 'audit', produces: ['application/json', 'text/csv', 'application/x-ndjson'], ok: AuditPageReply },
  )
  async list(@Caller() caller: Principal, @Query() query: FileQuery): Promise<AuditPageReply | StreamableFile> {
    const owner = ownerOf(caller);
    const format = fileFormatOf(query);
    if (format === null) return auditPageReply(await this.log.list(owner, query));
    const entries = everyRow((page) => this.log.list(owner, page));
    return tableFile({ name: 'audit', format, columns: AUDIT_COLUMNS, rows: auditRows(entries, format) });
  }
}

async function* auditRows(entries: AsyncIterable<AuditEntry>, format: FileFormat): AsyncGenerator<object> {
  for await (const entry of entries) yield format === 'csv' ? auditRow(entry) : auditEntryReply(entry);
}
