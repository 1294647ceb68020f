import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { AuditLogService } from '../platform/audit/audit-log.service.js';
import { PageQuery } from '../platform/http/page.js';
import { AuditPageReply, auditPageReply } from './audit.reply.js';

@ApiTags('Audit')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/audit')
export class AuditController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @ApiOkResponse({ type: AuditPageReply })
  @ApiOperation({
    operationId: 'listActs',
    summary: "What the account's keys changed, newest first; a test key sees what test keys did, a live key the rest",
  })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<AuditPageReply> {
    return auditPageReply(await this.log.list(ownerOf(caller), query));
  }
}
