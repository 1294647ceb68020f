import { Body, Controller, Delete, Get, HttpCode, Inject, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { type IdempotencyClaim, RequestIdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { RequireFullAccount } from '../../keys/access/audience.js';
import { Caller } from '../../keys/access/caller.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { ID_SCHEMA, IdParam } from '../../platform/http/id-params.js';
import { WorkNotifier } from '../../platform/queue/work-notifier.js';
import { WEBHOOK_QUEUE } from '../../webhooks/webhook-queue.js';
import { RequestedRunsService } from '../requested-runs.service.js';
import { monitorReply, runWithResultReply } from './monitor-bodies.js';
import { MonitorRunWithResultReply } from './monitor-runs.reply.js';
import { ChangeMonitorRequest, CreateMonitorRequest, MonitorsQuery } from './monitors.dto.js';
import { MonitorPageReply, MonitorReply } from './monitors.reply.js';
import { MonitorsService, type MonitorInput } from '../monitors.service.js';
import type { MonitorWithCounts } from '../monitors.store.js';
import { InTurn } from '../../keys/limits/in-turn.interceptor.js';

const ID = { name: 'id', schema: ID_SCHEMA } as const;

@ApiTags('Deliverability')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/monitors')
export class MonitorsController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly asked: RequestedRunsService,
    private readonly notifier: WorkNotifier,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Post()
  @InTurn()
  @ApiIdempotencyKey()
  @ApiCreatedResponse({ type: MonitorReply })
  @ApiErrors('plan_limit_reached', 'monitor_exists')
  @ApiOperation({ operationId: 'createMonitor', summary: 'Look at a domain or an address again and again' })
  async create(
    @Caller() caller: Principal,
    @Body() { kind, target, ...choices }: CreateMonitorRequest,
    @RequestIdempotencyClaim() claim: IdempotencyClaim | null,
  ): Promise<MonitorReply> {
    return this.shown(await this.monitors.create(caller, { kind, target, ...wantedOf(choices) }, claim));
  }

  @Get()
  @ApiOkResponse({ type: MonitorPageReply })
  @ApiOperation({ operationId: 'listMonitors', summary: 'Monitors, newest first' })
  async list(@Caller() caller: Principal, @Query() query: MonitorsQuery): Promise<MonitorPageReply> {
    const { items, nextCursor } = await this.monitors.list(ownerOf(caller), query.state ?? null, query);
    return { monitors: items.map((one) => this.shown(one)), next_cursor: nextCursor };
  }

  @Get(':id')
  @ApiParam(ID)
  @ApiOkResponse({ type: MonitorReply })
  @ApiErrors('monitor_not_found')
  @ApiOperation({ operationId: 'getMonitor', summary: 'A monitor, and how what it watches is' })
  async get(@Caller() caller: Principal, @IdParam('monitor_not_found') id: number): Promise<MonitorReply> {
    return this.shown(await this.monitors.get(ownerOf(caller), id));
  }

  @Patch(':id')
  @InTurn()
  @ApiParam(ID)
  @ApiOkResponse({ type: MonitorReply })
  @ApiErrors('monitor_not_found', 'plan_limit_reached', 'monitor_paused_by_operator')
  @ApiOperation({
    operationId: 'changeMonitor',
    summary: 'Change what a monitor watches, how often, or whether it runs',
  })
  async change(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Body() choices: ChangeMonitorRequest,
  ): Promise<MonitorReply> {
    return this.shown(await this.monitors.change(caller, id, wantedOf(choices)));
  }

  @Delete(':id')
  @InTurn()
  @HttpCode(204)
  @ApiParam(ID)
  @ApiNoContentResponse({ description: 'Deleted.' })
  @ApiErrors('monitor_not_found')
  @ApiOperation({ operationId: 'deleteMonitor', summary: 'Delete a monitor with its history' })
  async remove(@Caller() caller: Principal, @IdParam('monitor_not_found') id: number): Promise<void> {
    await this.monitors.remove(caller, id);
  }

  @Post(':id/run')
  @HttpCode(200)
  @ApiParam(ID)
  @ApiIdempotencyKey()
  @ApiOkResponse({ type: MonitorRunWithResultReply })
  @ApiErrors('monitor_not_found', 'monitor_paused', 'monitor_busy', 'credits_insufficient', 'key_ceiling_reached')
  @ApiOperation({
    operationId: 'runMonitor',
    summary: 'Run a monitor now',
    description: 'Once a minute, for a credit. It takes some seconds.',
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

  private shown(monitor: MonitorWithCounts): MonitorReply {
    return monitorReply(monitor, this.clock.now());
  }
}

function wantedOf(choices: ChangeMonitorRequest): MonitorInput {
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
