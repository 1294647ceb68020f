import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireAdmin } from '../../keys/access/audience.js';
import { AuditQuery } from '../bodies/admin.dto.js';
import { adminAuditEntryReply, AdminAuditPageReply } from '../bodies/audit-entry.reply.js';
import { pageReply } from '../bodies/page-reply.js';
import { AuditService } from '../audit.service.js';

@ApiTags('Audit')
@ApiBearerAuth()
@RequireAdmin()
@Controller('admin/v1/audit')
export class AdminAuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @ApiOperation({ operationId: 'listAudit', summary: 'What administrators and accounts changed, newest first' })
  @ApiOkResponse({ type: AdminAuditPageReply })
  async list(@Query() query: AuditQuery): Promise<AdminAuditPageReply> {
    return pageReply('entries', await this.audit.list(query.account_id ?? null, query), adminAuditEntryReply);
  }
}
