import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireAdmin } from '../keys/audience.js';
import { AdminAuditPageReply } from './admin-schemas.js';
import { auditReply, pageReply, type Reply } from './admin-replies.js';
import { AuditQuery } from './admin-input.js';
import { AuditService } from './audit.service.js';

@ApiTags('Audit')
@ApiBearerAuth()
@RequireAdmin()
@Controller('admin/v1/audit')
export class AdminAuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @ApiOperation({ operationId: 'listAudit', summary: 'What administrators and accounts changed, newest first' })
  @ApiOkResponse({ type: AdminAuditPageReply })
  async list(@Query() query: AuditQuery): Promise<Reply> {
    return pageReply('entries', await this.audit.list(query.account_id ?? null, query), auditReply);
  }
}
