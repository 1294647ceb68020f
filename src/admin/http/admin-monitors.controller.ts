import { Body, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { RequireAdmin } from '../../keys/access/audience.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { ID_SCHEMA, IdParam } from '../../platform/http/id-params.js';
import { InTurn } from '../../keys/limits/in-turn.interceptor.js';
import { type Actor, Administrator } from '../actor.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import { AllMonitorsReply, allMonitorsReply, AnyMonitorReply, anyMonitorReply } from '../bodies/monitor.reply.js';
import { MonitorOverview } from '../../monitors/runs/monitor-overview.service.js';
import { AuditService } from '../audit.service.js';

const ID = { name: 'id', schema: ID_SCHEMA } as const;

/** At most so many are shown. */
const SHOWN = 100;

/** Monitors of all accounts. */
@ApiTags('Monitors')
@ApiBearerAuth()
@RequireAdmin()
@InTurn()
@Controller('admin/v1/monitors')
export class AdminMonitorsController {
  constructor(
    private readonly monitors: MonitorOverview,
    private readonly audit: AuditService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listAllMonitors', summary: 'How late monitors are, and how they are' })
  @ApiOkResponse({ type: AllMonitorsReply })
  async list(): Promise<AllMonitorsReply> {
    const [overview, monitors] = await Promise.all([this.monitors.read(), this.monitors.list(SHOWN)]);
    return allMonitorsReply(overview, monitors, new Date(this.clock.now()));
  }

  @Post(':id/pause')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('monitor_not_found')
  @ApiParam(ID)
  @ApiOperation({ operationId: 'pauseMonitor', summary: 'Keep a monitor from running; its owner sees the reason' })
  @ApiOkResponse({ type: AnyMonitorReply })
  async pause(
    @Administrator() actor: Actor,
    @IdParam('monitor_not_found') id: number,
    @Body() { reason }: ReasonRequest,
  ): Promise<AnyMonitorReply> {
    return this.setPaused(actor, id, reason);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiErrors('monitor_not_found', 'monitor_not_paused')
  @ApiParam(ID)
  @ApiOperation({ operationId: 'resumeMonitor', summary: 'Let a monitor run again' })
  @ApiOkResponse({ type: AnyMonitorReply })
  async resume(@Administrator() actor: Actor, @IdParam('monitor_not_found') id: number): Promise<AnyMonitorReply> {
    return this.setPaused(actor, id, null);
  }

  private async setPaused(actor: Actor, id: number, reason: string | null): Promise<AnyMonitorReply> {
    const monitor = await this.audit.audited(
      actor,
      reason === null ? 'monitor.resume' : 'monitor.pause',
      (tx) => this.monitors.setPaused(tx, id, reason),
      ({ accountId }) => ({ accountId, details: { monitor_id: id, reason } }),
    );
    return anyMonitorReply(monitor);
  }
}
