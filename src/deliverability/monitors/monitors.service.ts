import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type IdempotencyClaim, runInTransaction } from '../../idempotency/idempotency-claim.js';
import { type Owner, ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { recordAccountAction } from '../../keys/account-actions.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { randomId } from '../../platform/random-id.js';
import { byCreation, Listing, type Page, type PageInput } from '../../platform/http/listing.js';
import type { TimelineEntry } from './findings/judge-run.js';
import type { Monitor, MonitorKind, MonitorState } from './findings/monitor.js';
import { MonitorTermsService } from './monitor-terms.service.js';
import { RunsStore } from './runs.store.js';
import {
  checkInterval,
  DEFAULT_MINUTES,
  DEFAULT_SETTINGS,
  readMonitorTarget,
  settingsAfter,
  type MonitorChoices,
} from './monitor-choices.js';
import { type MonitorChange, MonitorsStore, type MonitorWithCounts } from './monitors.store.js';
import { counted } from '../../platform/counted.js';

export interface MonitorInput extends MonitorChoices {
  readonly name?: string | null | undefined;
  readonly intervalMinutes?: number | null | undefined;
  readonly enabled?: boolean | null | undefined;
}

const MONITORS = new Listing('monitors', 'integer');

/** The monitors of an owner, to whom those of other accounts and of the account's other mode do not exist. */
@Injectable()
export class MonitorsService {
  constructor(
    private readonly database: DataSource,
    private readonly store: MonitorsStore,
    private readonly runs: RunsStore,
    private readonly terms: MonitorTermsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** It runs at once. @throws AppError `invalid_input`, `plan_limit_reached`, `monitor_exists` */
  create(
    principal: Principal,
    { kind, target: text, ...wanted }: MonitorInput & { readonly kind: MonitorKind; readonly target: string },
    claim: IdempotencyClaim | null,
  ): Promise<MonitorWithCounts> {
    const owner = ownerOf(principal);
    const { policy, simulated } = principal;
    const target = readMonitorTarget(kind, text, simulated);
    const settings = settingsAfter(kind, DEFAULT_SETTINGS, wanted, simulated);
    const intervalMinutes = wanted.intervalMinutes ?? Math.max(DEFAULT_MINUTES, policy.monitorMinutes);
    checkInterval(intervalMinutes, policy);
    return runInTransaction(this.database, claim, async (tx) => {
      const count = await this.store.count(tx, owner);
      // Whoever asks for the same one again is told so, also when no room is left.
      const existing = await this.store.findByTarget(tx, owner, { kind, target });
      if (existing !== null)
        throw new AppError('monitor_exists', {
          message: `The account watches this target already: monitor ${existing}.`,
        });
      if (count >= policy.monitors)
        throw new AppError('plan_limit_reached', {
          message: `The account's plan allows ${counted(policy.monitors, 'monitor')}: delete one, or ask for another plan.`,
        });
      const at = this.clock.date();
      const monitor: Monitor = {
        ...owner,
        id: randomId(),
        kind,
        target,
        settings,
        intervalMinutes,
        name: wanted.name ?? null,
        state: 'pending',
        paused: wanted.enabled === false ? 'owner' : null,
        pausedWhy: null,
        createdAt: at,
        nextRunAt: at,
        runs: 0,
        lastRunId: null,
        lastRunAt: null,
        unansweredSince: null,
        stalledAt: null,
        memory: {},
      };
      await this.store.insert(tx, monitor);
      await this.note(tx, monitor.id, at, { type: 'monitor.created', data: { kind, target } });
      await recordAccountAction(tx, principal, at, 'monitor.create', { monitor_id: monitor.id, kind });
      return { ...monitor, open: { critical: 0, warning: 0, info: 0 }, untrustedCredits: null };
    });
  }

  /** Newest first. */
  list(owner: Owner, state: MonitorState | null, query: PageInput): Promise<Page<MonitorWithCounts>> {
    return MONITORS.page(query, (request) => this.store.list(owner, state, request), byCreation);
  }

  /** @throws AppError `monitor_not_found` */
  async get(owner: Owner, id: number, tx?: EntityManager): Promise<MonitorWithCounts> {
    const monitor = await this.store.find(owner, id, tx);
    if (monitor === null) throw new AppError('monitor_not_found');
    return monitor;
  }

  /**
   * What is left out stays as it is. A change of what is watched makes it run soon, and what that run finds is told nobody. One that is
   * let go on without room in the plan is paused by the plan from then on, until there is room.
   * @throws AppError `monitor_not_found`, `invalid_input`, `plan_limit_reached`, `monitor_paused_by_operator`
   */
  change(principal: Principal, id: number, wanted: MonitorInput): Promise<MonitorWithCounts> {
    const owner = ownerOf(principal);
    return this.database.transaction(async (tx) => {
      const before = await this.store.lock(tx, owner, id);
      if (before === null) throw new AppError('monitor_not_found');
      const at = this.clock.date();
      const { settings } = before;
      const after = settingsAfter(before.kind, settings, wanted, owner.simulated);
      const intervalMinutes = wanted.intervalMinutes ?? before.intervalMinutes;
      if (intervalMinutes !== before.intervalMinutes) checkInterval(intervalMinutes, principal.policy);
      const isOther = watchedOf(after) !== watchedOf(settings);
      const change: MonitorChange = {
        name: wanted.name === undefined ? before.name : wanted.name,
        settings: after,
        intervalMinutes,
        paused: pausedAfter(before, wanted.enabled ?? null),
        memory: isOther ? { ...before.memory, learned: false } : before.memory,
        ...((isOther || intervalMinutes < before.intervalMinutes) && { nextRunAt: at }),
      };
      await this.store.change(tx, id, change);
      await this.note(tx, id, at, ...entries(before, change));
      // Another one may have room now, or this one has none.
      if (change.paused !== before.paused) await this.terms.apply(owner, tx);
      await recordAccountAction(tx, principal, at, 'monitor.change', { monitor_id: id });
      return this.get(owner, id, tx);
    });
  }

  /** With its history. @throws AppError `monitor_not_found` */
  async remove(principal: Principal, id: number): Promise<void> {
    const owner = ownerOf(principal);
    await this.database.transaction(async (tx) => {
      if ((await this.store.lock(tx, owner, id)) === null) throw new AppError('monitor_not_found');
      await this.store.delete(tx, id);
      await this.terms.apply(owner, tx);
      await recordAccountAction(tx, principal, this.clock.date(), 'monitor.delete', { monitor_id: id });
    });
  }

  private note(tx: EntityManager, id: number, at: Date, ...all: readonly TimelineEntry[]): Promise<void> {
    return this.runs.addToTimeline(tx, id, { at, runId: null }, all);
  }
}

/** @throws AppError `monitor_paused_by_operator`: what an administrator has paused, nobody else lets go on */
function pausedAfter({ paused }: Monitor, enabled: boolean | null): Monitor['paused'] {
  if (enabled === null) return paused;
  if (paused === 'operator' && enabled) throw new AppError('monitor_paused_by_operator');
  if (!enabled) return paused === 'operator' ? paused : 'owner';
  return paused === 'owner' ? null : paused;
}

function watchedOf({ checks, dkimSelectors, sendingAddresses }: Monitor['settings']): string {
  return JSON.stringify([checks, dkimSelectors, sendingAddresses]);
}

function entries(before: Monitor, after: MonitorChange): TimelineEntry[] {
  const all: TimelineEntry[] = [];
  const changed = [
    ...(after.name === before.name ? [] : ['name']),
    ...(after.intervalMinutes === before.intervalMinutes ? [] : ['interval_minutes']),
    ...(isDeepStrictEqual(after.settings, before.settings) ? [] : ['settings']),
  ];
  if (changed.length > 0) all.push({ type: 'monitor.edited', data: { changed } });
  if (after.paused !== before.paused)
    all.push({ type: after.paused === null ? 'monitor.resumed' : 'monitor.paused', data: { by: 'owner' } });
  return all;
}
