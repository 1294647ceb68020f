import { Body, Inject, Param } from '@nestjs/common';
import { Caller } from '../../../keys/access/caller.js';
import type { Principal } from '../../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../../platform/clock.js';
import { findingReply, monitorReply } from './monitor-bodies.js';
import { MonitorFindingReply } from './monitor-findings.reply.js';
import { MuteRequest } from './monitors.dto.js';
import { MonitorReply } from './monitors.reply.js';
import { Route, Routes } from '../../../keys/route.decorator.js';
import { ID_SCHEMA } from '../../../platform/http/ids.js';
import { IdParam } from '../../../platform/http/id-params.js';
import { type MuteInput, MonitorMutesService } from '../mutes.service.js';

/** What a monitor finds and does not tell of. */
@Routes('api/v1/monitors', { tag: 'Deliverability', for: 'full', needs: 'deliverability' })
export class MonitorMutesController {
  constructor(
    private readonly mutes: MonitorMutesService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Route.patch(':id/lists/:list', 'muteMonitorList', 'Mute all that a block list says until a date', {
    params: [
      {
        name: 'list',
        schema: { type: 'string', maxLength: 100 },
        description: 'As `GET /api/v1/blacklists` names it.',
      },
    ],
    ok: MonitorReply,
    errors: ['blacklist_not_found'],
  })
  async muteList(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Param('list') list: string,
    @Body() asked: MuteRequest,
  ): Promise<MonitorReply> {
    const monitor = await this.mutes.muteList(caller, { id, list }, muteInput(asked));
    return monitorReply(monitor, caller.policy, this.clock.now());
  }

  @Route.patch(
    ':id/findings/:finding_id',
    'changeMonitorFinding',
    'Mute a finding until a date, or write a note to it',
    {
      params: [{ name: 'finding_id', schema: ID_SCHEMA }],
      ok: MonitorFindingReply,
      errors: ['finding_not_found'],
    },
  )
  async changeFinding(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Param('finding_id') findingId: string,
    @Body() asked: MuteRequest,
  ): Promise<MonitorFindingReply> {
    const finding = await this.mutes.muteFinding(caller, { id, findingId }, muteInput(asked));
    return findingReply(finding, caller, new Date(this.clock.now()));
  }
}

function muteInput({ muted_until, note }: MuteRequest): MuteInput {
  return { until: typeof muted_until === 'string' ? new Date(muted_until) : muted_until, note };
}
