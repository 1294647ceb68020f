import { Body, Controller, Inject, Param, Patch } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../../keys/access/audience.js';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { ID_SCHEMA, IdParam } from '../../platform/http/id-params.js';
import { type MuteInput, MonitorMutesService } from '../mutes.service.js';
import { findingReply, monitorReply } from './monitor-bodies.js';
import { MonitorFindingReply } from './monitor-findings.reply.js';
import { MuteRequest } from './monitors.dto.js';
import { MonitorReply } from './monitors.reply.js';

const ID = { name: 'id', schema: ID_SCHEMA } as const;

/** What a monitor finds and does not tell of. */
@ApiTags('Deliverability')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/monitors')
export class MonitorMutesController {
  constructor(
    private readonly mutes: MonitorMutesService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Patch(':id/lists/:list')
  @ApiParam(ID)
  @ApiParam({
    name: 'list',
    schema: { type: 'string', maxLength: 100 },
    description: 'As `GET /api/v1/blacklists` names it.',
  })
  @ApiOkResponse({ type: MonitorReply })
  @ApiErrors('monitor_not_found', 'blacklist_not_found')
  @ApiOperation({ operationId: 'muteMonitorList', summary: 'Mute all that a block list says until a date' })
  async muteList(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Param('list') list: string,
    @Body() asked: MuteRequest,
  ): Promise<MonitorReply> {
    return monitorReply(await this.mutes.muteList(caller, { id, list }, askedMute(asked)), this.clock.now());
  }

  @Patch(':id/findings/:finding_id')
  @ApiParam(ID)
  @ApiParam({ name: 'finding_id', schema: ID_SCHEMA })
  @ApiOkResponse({ type: MonitorFindingReply })
  @ApiErrors('monitor_not_found', 'finding_not_found')
  @ApiOperation({ operationId: 'changeMonitorFinding', summary: 'Mute a finding until a date, or write a note to it' })
  async changeFinding(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Param('finding_id') findingId: string,
    @Body() asked: MuteRequest,
  ): Promise<MonitorFindingReply> {
    const finding = await this.mutes.muteFinding(caller, { id, findingId }, askedMute(asked));
    return findingReply(finding, caller, new Date(this.clock.now()));
  }
}

function askedMute({ muted_until, note }: MuteRequest): MuteInput {
  return { until: typeof muted_until === 'string' ? new Date(muted_until) : muted_until, note };
}
