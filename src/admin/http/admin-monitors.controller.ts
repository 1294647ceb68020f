import { Body, Inject } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { type Actor, Administrator } from '../actor.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import {
  AllMonitorsReply,
  allMonitorsReply,
  AnyMonitorReply,
  anyMonitorReply,
} from '../bodies/deliverability/monitor.reply.js';
import { MonitorAdministrationService } from '../monitors/monitor-administration.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { IdParam } from '../../platform/http/id-params.js';

/** Monitors of all accounts. */
@AdminRoutes('monitors', { tag: 'Monitors', inTurn: true })
export class AdminMonitorsController {
  constructor(
    private readonly monitors: MonitorAdministrationService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @AdminRoute.get('', 'listAllMonitors', 'How late monitors are, and how they are', {
    needs: 'read',
    ok: AllMonitorsReply,
  })
  async list(): Promise<AllMonitorsReply> {
    const { overview, monitors } = await this.monitors.look();
    return allMonitorsReply(overview, monitors, new Date(this.clock.now()));
  }

  @AdminRoute.post(':id/pause', 'pauseMonitor', 'Keep a monitor from running; its owner sees the reason', {
    needs: 'support',
    ok: AnyMonitorReply,
  })
  async pause(
    @Administrator() actor: Actor,
    @IdParam('monitor_not_found') id: number,
    @Body() { reason }: ReasonRequest,
  ): Promise<AnyMonitorReply> {
    return anyMonitorReply(await this.monitors.pause(actor, id, reason));
  }

  @AdminRoute.post(':id/resume', 'resumeMonitor', 'Let a monitor run again', {
    needs: 'support',
    ok: AnyMonitorReply,
    errors: ['monitor_not_paused'],
  })
  async resume(@Administrator() actor: Actor, @IdParam('monitor_not_found') id: number): Promise<AnyMonitorReply> {
    return anyMonitorReply(await this.monitors.resume(actor, id));
  }
}
