import { Controller, Get, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RequireAdmin } from '../keys/audience.js';
import { auditReply, pageReply, type Reply } from './admin-replies.js';
import { AuditQuery } from './admin-input.js';
import { AuditService } from './audit.service.js';

@RequireAdmin()
@ApiExcludeController()
@Controller('admin/v1/audit')
export class AdminAuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  async list(@Query() query: AuditQuery): Promise<Reply> {
    return pageReply('entries', await this.audit.list(query.account_id ?? null, query), auditReply);
  }
}
