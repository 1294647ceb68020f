import { Body, Inject } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { type Actor, Administrator } from '../actor.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import { AllMonitorsReply, allMonitorsReply, AnyMonitorReply, anyMonitorReply } from '../bodies/monitor.reply.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { IdParam } from '../../platform/http/id-params.js';
import { MonitorOverviewService } from '../../deliverability/monitors/monitor-overview.service.js';
import { AuditService } from '../audit.service.js';

/** At most so many are shown. */
const SHOWN = 100;

/** Monitors of all accounts. */
@AdminRoutes('monitors', { tag: 'Monitors', inTurn: 'monitors' })
export class AdminMonitorsController {
  constructor(
    private readonly monitors: MonitorOverviewService,
    private readonly audit: AuditService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @AdminRoute.get('', 'listAllMonitors', 'How late monitors are, and how they are', {
    needs: 'read',
    ok: AllMonitorsReply,
  })
  async list() {
    const [overview, monitors] = await Promise.all([this.monitors.read(), this.monitors.list(SHOWN)]);
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
  ) {
    return this.setPaused(actor, id, reason);
  }

  @AdminRoute.post(':id/resume', 'resumeMonitor', 'Let a monitor run again', {
    needs: 'support',
    ok: AnyMonitorReply,
    errors: ['monitor_not_paused'],
  })
  async resume(@Administrator() actor: Actor, @IdParam('monitor_not_found') id: number) {
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
