import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../../keys/access/audience.js';
import { Caller } from '../../keys/access/caller.js';
import { ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { ID_SCHEMA, IdParam } from '../../platform/http/id-params.js';
import { PageQuery } from '../../platform/http/page.js';
import { eventReply, findingReply, runDiff, runReply, runWithResultReply } from './monitor-bodies.js';
import { MonitorEventPageReply, MonitorFindingPageReply } from './monitor-findings.reply.js';
import { MonitorHistoryService } from '../monitor-history.service.js';
import { MonitorDiffReply, MonitorRunPageReply, MonitorRunWithResultReply } from './monitor-runs.reply.js';
import { MonitorDiffQuery, MonitorFindingsQuery } from './monitors.dto.js';

const ID = { name: 'id', schema: ID_SCHEMA } as const;

/** What monitors have found. */
@ApiTags('Deliverability')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/monitors')
export class MonitorHistoryController {
  constructor(
    private readonly history: MonitorHistoryService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Get(':id/runs')
  @ApiParam(ID)
  @ApiOkResponse({ type: MonitorRunPageReply })
  @ApiErrors('monitor_not_found')
  @ApiOperation({ operationId: 'listMonitorRuns', summary: 'Runs of a monitor, newest first' })
  async runs(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: PageQuery,
  ): Promise<MonitorRunPageReply> {
    const { items, nextCursor } = await this.history.runs(ownerOf(caller), id, query);
    return { runs: items.map(runReply), next_cursor: nextCursor };
  }

  @Get(':id/runs/:run_id')
  @ApiParam(ID)
  @ApiParam({ name: 'run_id', schema: ID_SCHEMA })
  @ApiOkResponse({ type: MonitorRunWithResultReply })
  @ApiErrors('monitor_not_found', 'run_not_found')
  @ApiOperation({ operationId: 'getMonitorRun', summary: 'A run with facts and findings, as they were' })
  async run(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Param('run_id') runId: string,
  ): Promise<MonitorRunWithResultReply> {
    return runWithResultReply(await this.history.run(ownerOf(caller), id, runId));
  }

  @Get(':id/diff')
  @ApiParam(ID)
  @ApiOkResponse({ type: MonitorDiffReply })
  @ApiErrors('monitor_not_found', 'run_not_found')
  @ApiOperation({ operationId: 'diffMonitorRuns', summary: 'What differs between two runs' })
  async diff(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: MonitorDiffQuery,
  ): Promise<MonitorDiffReply> {
    return runDiff(...(await this.history.pair(ownerOf(caller), id, query)));
  }

  @Get(':id/findings')
  @ApiParam(ID)
  @ApiOkResponse({ type: MonitorFindingPageReply })
  @ApiErrors('monitor_not_found')
  @ApiOperation({ operationId: 'listMonitorFindings', summary: 'What is wrong, or was, the latest first' })
  async findings(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: MonitorFindingsQuery,
  ): Promise<MonitorFindingPageReply> {
    const { items, nextCursor } = await this.history.findings(ownerOf(caller), id, query.state ?? null, query);
    const now = new Date(this.clock.now());
    return { findings: items.map((one) => findingReply(one, caller, now)), next_cursor: nextCursor };
  }

  @Get(':id/events')
  @ApiParam(ID)
  @ApiOkResponse({ type: MonitorEventPageReply })
  @ApiErrors('monitor_not_found')
  @ApiOperation({ operationId: 'listMonitorEvents', summary: 'The timeline of a monitor, newest first' })
  async events(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: PageQuery,
  ): Promise<MonitorEventPageReply> {
    const { items, nextCursor } = await this.history.events(ownerOf(caller), id, query);
    return { events: items.map(eventReply), next_cursor: nextCursor };
  }
}
