import { Injectable } from '@nestjs/common';
import type { Owner } from '../../keys/access/owner.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import type { MonitorEvent } from '../model/monitor-event.js';
import { Listing } from '../../platform/http/listing.js';
import type { Page, PageQuery } from '../../platform/http/page.js';
import type { FindingState, MonitorFinding } from '../model/monitor-finding.js';
import type { MonitorRun, RunWithResult } from '../model/monitor-run.js';
import { MonitorsService } from '../settings/monitors.service.js';
import { HistoryStore } from './history.store.js';
import { readId } from '../../platform/http/ids.js';

const RUNS = new Listing('monitor-runs', 'integer');
const FINDINGS = new Listing('monitor-findings', 'integer');
const EVENTS = new Listing('monitor-events', 'integer');

/** What monitors have found, run by run and finding by finding. Everything is `monitor_not_found` to whom the monitor is not. */
@Injectable()
export class MonitorHistoryService {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly store: HistoryStore,
  ) {}

  async runs(owner: Owner, monitorId: number, query: PageQuery): Promise<Page<MonitorRun>> {
    await this.monitors.get(owner, monitorId);
    return RUNS.page(
      query,
      (request) => this.store.runs(monitorId, request),
      ({ finishedAt, id }) => ({ at: finishedAt, id: String(id) }),
    );
  }

  /** @throws AppError `run_not_found` */
  async run(owner: Owner, monitorId: number, id: string): Promise<RunWithResult> {
    await this.monitors.get(owner, monitorId);
    const run = await this.store.run(monitorId, readId(id, 'run_not_found'));
    if (run === null) throw new AppError('run_not_found');
    return run;
  }

  /** @throws AppError `run_not_found`, `invalid_input` */
  async pair(
    owner: Owner,
    monitorId: number,
    { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  ): Promise<readonly [RunWithResult, RunWithResult]> {
    await this.monitors.get(owner, monitorId);
    if (from === undefined) throw invalidField('from', 'must be the id of a run');
    if (to === undefined) throw invalidField('to', 'must be the id of a run');
    return [await this.run(owner, monitorId, from), await this.run(owner, monitorId, to)];
  }

  async findings(
    owner: Owner,
    monitorId: number,
    state: FindingState | null,
    query: PageQuery,
  ): Promise<Page<MonitorFinding>> {
    await this.monitors.get(owner, monitorId);
    return FINDINGS.page(
      query,
      (request) => this.store.findings(monitorId, state, request),
      ({ firstSeenAt, id }) => ({ at: firstSeenAt, id: String(id) }),
    );
  }

  async events(owner: Owner, monitorId: number, query: PageQuery): Promise<Page<MonitorEvent>> {
    await this.monitors.get(owner, monitorId);
    return EVENTS.page(
      query,
      (request) => this.store.events(monitorId, request),
      ({ at, id }) => ({ at, id: String(id) }),
    );
  }
}
