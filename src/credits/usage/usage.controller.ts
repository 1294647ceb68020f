import { Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { usageCsv, UsageReply, usageReply } from './usage.reply.js';
import { UsageService } from './usage.service.js';
import { Route, Routes } from '../../keys/route.decorator.js';
import { OptionalDay, OptionalOneOf } from '../../platform/http/fields.js';
import { USAGE_COLUMNS, type UsageColumn } from './usage.store.js';

const COLUMNS = Object.keys(USAGE_COLUMNS) as UsageColumn[];
const FORMATS = ['json', 'csv'] as const;

export class UsageQuery {
  @OptionalDay('The first day (UTC); 29 days before `to` unless it is named.')
  readonly from?: string;

  @OptionalDay('The last day (UTC), today unless it is named; at most 366 days in all.')
  readonly to?: string;

  @OptionalOneOf(COLUMNS, { default: 'day' })
  readonly by?: UsageColumn;

  @OptionalOneOf(FORMATS, { default: 'json' })
  readonly format?: (typeof FORMATS)[number];
}

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
  ) {
    const usage = await this.usage.get(caller, by, { ...(from && { from }), ...(to && { to }) });
    if (format !== 'csv') return usageReply(usage);
    void reply.header('Content-Disposition', 'attachment; filename="usage.csv"').type('text/csv; charset=utf-8');
    return usageCsv(usage);
  }
}
