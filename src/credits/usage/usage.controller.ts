import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RequireFullAccount } from '../../keys/access/audience.js';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { UsageQuery } from './usage-query.dto.js';
import { usageCsv, UsageReply, usageReply } from './usage.reply.js';
import { UsageService } from './usage.service.js';

@ApiTags('Credits')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get()
  @ApiProduces('application/json', 'text/csv')
  @ApiOkResponse({ type: UsageReply })
  @ApiOperation({ operationId: 'getUsage', summary: 'What was verified and charged, day by day or otherwise' })
  async get(
    @Caller() caller: Principal,
    @Query() { from, to, by = 'day', format }: UsageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UsageReply | string> {
    const usage = await this.usage.get(caller, by, { ...(from && { from }), ...(to && { to }) });
    if (format !== 'csv') return usageReply(usage);
    void reply.header('Content-Disposition', 'attachment; filename="usage.csv"').type('text/csv; charset=utf-8');
    return usageCsv(usage);
  }
}
