import { Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { UsageQuery } from './usage-query.dto.js';
import { usageCsv, UsageReply, usageReply } from './usage.reply.js';
import { UsageService } from './usage.service.js';
import { Route, Routes } from '../../keys/route.decorator.js';

@Routes('api/v1/usage', { tag: 'Credits', for: 'full' })
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Route.get('', 'getUsage', 'What was verified and charged, day by day or otherwise', {
    needs: 'credits',
    produces: ['application/json', 'text/csv'],
    ok: UsageReply,
  })
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
