import { Inject, Param, Query } from '@nestjs/common';
import { Caller } from '../../../keys/access/caller.js';
import { ownerOf } from '../../../keys/access/owner.js';
import type { Principal } from '../../../keys/access/principal.js';
import { CLOCK, type WallClock } from '../../../platform/clock.js';
import { PageQuery, pageReply } from '../../../platform/http/page.js';
import { eventReply, findingReply, runReply, runWithResultReply, runDiff } from './monitor-bodies.js';
import { MonitorEventPageReply, MonitorFindingPageReply } from './monitor-findings.reply.js';
import { MonitorHistoryService } from '../monitor-history.service.js';
import { MonitorDiffReply, MonitorRunPageReply, MonitorRunWithResultReply } from './monitor-runs.reply.js';
import { MonitorDiffQuery, MonitorFindingsQuery } from './monitors.dto.js';
import { Route, Routes } from '../../../keys/route.decorator.js';
import { ID_SCHEMA } from '../../../platform/http/ids.js';
import { IdParam } from '../../../platform/http/id-params.js';

/** What monitors have found. */
@Routes('api/v1/monitors', { tag: 'Deliverability', for: 'full', needs: 'deliverability' })
export class MonitorHistoryController {
  constructor(
    private readonly history: MonitorHistoryService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Route.get(':id/runs', 'listMonitorRuns', 'Runs of a monitor, newest first', { ok: MonitorRunPageReply })
  async runs(@Caller() caller: Principal, @IdParam('monitor_not_found') id: number, @Query() query: PageQuery) {
    return pageReply('runs', await this.history.runs(ownerOf(caller), id, query), runReply);
  }

  @Route.get(':id/runs/:run_id', 'getMonitorRun', 'A run with facts and findings, as they were', {
    params: [{ name: 'run_id', schema: ID_SCHEMA }],
    ok: MonitorRunWithResultReply,
    errors: ['run_not_found'],
  })
  async run(@Caller() caller: Principal, @IdParam('monitor_not_found') id: number, @Param('run_id') runId: string) {
    return runWithResultReply(await this.history.run(ownerOf(caller), id, runId));
  }

  @Route.get(':id/diff', 'diffMonitorRuns', 'What differs between two runs', {
    ok: MonitorDiffReply,
    errors: ['run_not_found'],
  })
  async diff(@Caller() caller: Principal, @IdParam('monitor_not_found') id: number, @Query() query: MonitorDiffQuery) {
    return runDiff(...(await this.history.pair(ownerOf(caller), id, query)));
  }

  @Route.get(':id/findings', 'listMonitorFindings', 'What is wrong, or was, the latest first', {
    ok: MonitorFindingPageReply,
  })
  async findings(
    @Caller() caller: Principal,
    @IdParam('monitor_not_found') id: number,
    @Query() query: MonitorFindingsQuery,
  ): Promise<MonitorFindingPageReply> {
    const now = new Date(this.clock.now());
    return pageReply('findings', await this.history.findings(ownerOf(caller), id, query.state ?? null, query), (one) =>
      findingReply(one, caller, now),
    );
  }

  @Route.get(':id/events', 'listMonitorEvents', 'The timeline of a monitor, newest first', {
    ok: MonitorEventPageReply,
  })
  async events(@Caller() caller: Principal, @IdParam('monitor_not_found') id: number, @Query() query: PageQuery) {
    return pageReply('events', await this.history.events(ownerOf(caller), id, query), eventReply);
  }
}
