import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Owner, ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { recordOwnAct } from '../../keys/own-acts.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { Listing } from '../../platform/http/listing.js';
import type { Page, PageQuery } from '../../platform/http/page.js';
import { type MonitorEvent, muteChange } from '../model/monitor-event.js';
import type { FindingState, MonitorFinding } from '../model/monitor-finding.js';
import { MAX_ID, MIN_ID } from '../model/monitor.js';
import type { MonitorRun, RunWithResult } from '../model/monitor-run.js';
import { checkAskedMute } from '../muting/asked-mute.js';
import { RunsStore } from '../runs/runs.store.js';
import { HistoryStore } from './history.store.js';
import { readId } from './monitor-id.js';
import { MonitorsService } from './monitors.service.js';

const RUNS = new Listing('monitor-runs', 'integer');
const FINDINGS = new Listing('monitor-findings', 'integer');
const EVENTS = new Listing('monitor-events', 'integer');

export interface FindingChange {
  readonly mutedUntil?: Date | null;
  readonly note?: string | null;
}

/** What monitors have found, run by run and finding by finding. Everything is `monitor_not_found` to whom the monitor is not. */
@Injectable()
export class MonitorHistoryService {
  constructor(
    private readonly database: DataSource,
    private readonly monitors: MonitorsService,
    private readonly store: HistoryStore,
    private readonly timeline: RunsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
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

  /** Mutes a finding, or writes a note to it. @throws AppError `finding_not_found`, `invalid_input` */
  async changeFinding(
    principal: Principal,
    monitorId: number,
    id: string,
    change: FindingChange,
  ): Promise<MonitorFinding> {
    const now = new Date(this.clock.now());
    await this.monitors.get(ownerOf(principal), monitorId);
    const findingId = readId(id, 'finding_not_found');
    const { mutedUntil, note } = change;
    checkAskedMute({ until: mutedUntil, note }, now);
    return this.database.transaction(async (tx) => {
      const before = await this.store.lockFinding(tx, monitorId, findingId);
      const finding = before && (await this.store.changeFinding(tx, monitorId, findingId, change));
      if (before === null || finding === null) throw new AppError('finding_not_found');
      const muteOf = (one: MonitorFinding) => ({ until: one.mutedUntil, note: one.note });
      const became = muteChange(muteOf(before), muteOf(finding), now);
      if (became === null) return finding;
      const data = { muted_until: finding.mutedUntil?.toISOString() ?? null, has_note: finding.note !== null };
      const newId = () => randomInt(MIN_ID, MAX_ID);
      await this.timeline.addHappenings(tx, monitorId, { at: now, runId: null, newId }, [
        { type: `finding.${became}`, findingId, data },
      ]);
      await recordOwnAct(tx, principal, now, 'monitor.mute', { monitor_id: monitorId, finding_id: findingId });
      return finding;
    });
  }
}
