import { Body, Inject, Query } from '@nestjs/common';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../../idempotency/idempotency-claim.js';
import { Caller } from '../../../keys/access/caller.js';
import { ownerOf } from '../../../keys/access/owner.js';
import type { Principal } from '../../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../../platform/clock.js';
import { WorkNotifier } from '../../../platform/queue/work-notifier.js';
import { WEBHOOK_QUEUE } from '../../../webhooks/webhook-queue.js';
import { monitorReply, runWithResultReply } from './monitor-bodies.js';
import { MonitorRunWithResultReply } from './monitor-runs.reply.js';
import { ChangeMonitorRequest, CreateMonitorRequest, MonitorsQuery } from './monitors.dto.js';
import { MonitorPageReply, MonitorReply, MonitorWithDaysReply } from './monitors.reply.js';
import { MonitorHistoryService } from '../monitor-history.service.js';
import { MonitorsService, type MonitorInput } from '../monitors.service.js';
import type { MonitorWithCounts } from '../monitors.store.js';
import { Route, Routes } from '../../../keys/route.decorator.js';
import { IdParam } from '../../../platform/http/id-params.js';
import { pageReply } from '../../../platform/http/page.js';
import { RequestedRunsService } from '../requested-runs.service.js';

@Routes('api/v1/monitors', { tag: 'Deliverability', for: 'full', needs: 'deliverability' })
export class MonitorsController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly history: MonitorHistoryService,
    private readonly asked: RequestedRunsService,
    private readonly notifier: WorkNotifier,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Route.post('', 'createMonitor', 'Look at a domain or an address again and again', {
    inTurn: 'monitors',
    created: MonitorReply,
    errors: ['plan_limit_reached', 'monitor_exists'],
  })
  async create(
    @Caller() caller: Principal,
    @Body() { kind, target, ...choices }: CreateMonitorRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<MonitorReply> {
    return this.shown(caller, await this.monitors.create(caller, { kind, target, ...monitorInput(choices) }, claim));
  }

  @Route.get('', 'listMonitors', 'Monitors, newest first', { ok: MonitorPageReply })
  async list(@Caller() caller: Principal, @Query() query: MonitorsQuery): Promise<MonitorPageReply> {
    return pageReply('monitors', await this.monitors.list(ownerOf(caller), query.state ?? null, query), (one) =>
      this.shown(caller, one),
    );
  }

  @Route.get(':id', 'getMonitor', 'A monitor, and how what it watches is and was', {
    ok: MonitorWithDaysReply,
  })
  async get(@Caller() caller: Principal, @IdParam('monitor_not_found') id: number): Promise<MonitorWithDaysReply> {
    const monitor = await this.monitors.get(ownerOf(caller), id);
    const days = await this.history.days(id, this.clock.now());
    return Object.assign(this.shown(caller, monitor), { days });
  }

  @Route.patch(':id', 'changeMonitor', 'Change what a monitor watches, how often, or whether it runs', {
    inTurn: 'monitors',
    ok: MonitorReply,
    errors: ['plan_limit_reached', 'monitor_paused_by_operator'],
  })
  async change(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Body() choices: ChangeMonitorRequest,
  ): Promise<MonitorReply> {
    return this.shown(caller, await this.monitors.change(caller, id, monitorInput(choices)));
  }

  @Route.delete(':id', 'deleteMonitor', 'Delete a monitor with its history', {
    inTurn: 'monitors',
    noContent: 'Deleted.',
  })
  async remove(@Caller() caller: Principal, @IdParam('monitor_not_found') id: number): Promise<void> {
    await this.monitors.remove(caller, id);
  }

  @Route.post(':id/run', 'runMonitor', 'Run a monitor now', {
    description: 'Once a minute, for a credit. It takes some seconds.',
    ok: MonitorRunWithResultReply,
    errors: ['monitor_paused', 'monitor_busy', 'credits_insufficient', 'key_ceiling_reached'],
  })
  async run(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<MonitorRunWithResultReply> {
    const { run, result, hasDeliveries } = await this.asked.run(caller, id, claim);
    if (hasDeliveries) await this.notifier.notify(WEBHOOK_QUEUE);
    return runWithResultReply({ ...run, result });
  }

  private shown({ policy }: Principal, monitor: MonitorWithCounts): MonitorReply {
    return monitorReply(monitor, policy, this.clock.now());
  }
}

function monitorInput(choices: ChangeMonitorRequest): MonitorInput {
  return {
    name: choices.name,
    intervalMinutes: choices.interval_minutes,
    checks: choices.checks,
    dkimSelectors: choices.dkim_selectors,
    sendingAddresses: choices.sending_addresses,
    alertFrom: choices.alert_from,
    notifyFirst: choices.notify_first,
    enabled: choices.enabled,
  };
}
