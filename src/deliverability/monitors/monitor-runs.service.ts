import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { untrustedSentence } from '../../mail-dns/untrusted.js';
import { MINUTE_MS } from '../../lib/durations.js';
import { ListSuspicionsService } from '../blacklists/list-suspicions.service.js';
import { addToOutbox } from '../../events/outbox.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { KEY_POLICIES, type KeyPolicies, policyNamed } from '../../platform/config/policies.js';
import { randomId } from '../../platform/random-id.js';
import { advanceFindings, type TimelineEntry, turnedLists, waitingLists } from './findings/judge-run.js';
import { notifyOfFindings } from './findings/notification-policy.js';
import type { Observation } from './findings/observation.js';
import { nextRunTimes, timingsOf } from './findings/timings.js';
import { factsHash } from './findings/run-facts.js';
import type { MonitorFinding, MonitorRun, RunCause, RunResult } from './findings/monitor-run.js';
import { MAX_PROBE_MS, MonitorProbe } from './monitor-probe.js';
import { runEvents, stalledEvent } from './findings/run-events.js';
import { type Lease, type LeasedMonitor, RunsStore } from './runs.store.js';
import { AppError } from '../../platform/errors/app-error.js';
import { counter } from '../../platform/metrics/metrics.js';

const runs = counter(
  'mailsonde_monitor_runs_total',
  'Runs of monitors by what is watched, why it ran and what came of it; those of test keys are not counted.',
  ['kind', 'cause', 'state'],
);

/** Longer than any look: a run that takes longer was begun by a process that is gone. */
const LEASE_MS = 2 * MAX_PROBE_MS + 30_000;
/** Somebody may ask for a run of a monitor once in this time. */
const RUN_APART_MS = 60_000;
/** So many other monitors are looked at before a list of low standing is believed: a list that lists the world would have them too. */
const OTHERS_ENOUGH = 10;

/** What a look has found, before any of it counts. */
export interface Found {
  readonly look: Observation;
  readonly startedAt: Date;
  readonly before: (RunResult & { readonly hash: string; readonly runId: number }) | null;
}

export interface FinishedRun {
  readonly run: MonitorRun;
  readonly result: RunResult;
  /** Whether endpoints are to be told. */
  readonly hasDeliveries: boolean;
}

/**
 * Runs a monitor that this process holds: looks, and then writes down what was found.
 *
 * What a run leaves (its row, the findings, the timeline, the events for endpoints and the time of the next run) is one transaction, which
 * first asks whether the monitor is still held by the same lease. So a process that is killed leaves all of it or nothing, and of two
 * that ran one monitor the second leaves nothing. At a fault the lease expires, and another process runs the monitor.
 */
@Injectable()
export class MonitorRunsService {
  private readonly holder = randomUUID();

  constructor(
    private readonly store: RunsStore,
    private readonly looks: MonitorProbe,
    private readonly suspicions: ListSuspicionsService,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Leases those that are due, the longest first. */
  due(limit: number): Promise<LeasedMonitor[]> {
    return this.store.lease(this.lease(this.holder), limit);
  }

  /** Leases one that somebody asks for, whatever its time is. @throws AppError `rate_limited`, `monitor_busy` */
  async requested(id: number): Promise<LeasedMonitor> {
    const now = this.clock.now();
    // Each has a holder of its own: two requests of one process are two.
    const outcome = await this.store.leaseAsked(id, this.lease(randomUUID()), new Date(now - RUN_APART_MS));
    if (outcome.monitor !== null) return outcome.monitor;
    if (outcome.askedAt === null) throw new AppError('monitor_busy');
    throw new AppError('rate_limited', {
      message: 'A run of a monitor may be asked for once a minute.',
      retryAfterSeconds: (outcome.askedAt.getTime() + RUN_APART_MS - now) / 1000,
    });
  }

  /** Gives one back that was not run. */
  release(monitor: LeasedMonitor): Promise<void> {
    return this.store.release(monitor);
  }

  /** Who asks for a run wants to know how it is now, whatever is remembered. */
  async find(monitor: LeasedMonitor, cause: RunCause): Promise<Found> {
    const startedAt = this.clock.date();
    const before = await this.store.lastResult(monitor);
    const look = await this.looks.look(monitor, before?.facts ?? null, startedAt, cause === 'request');
    return { look, startedAt, before };
  }

  /** @returns null: the monitor is no longer held, so that nothing was written */
  async finish(
    tx: EntityManager,
    monitor: LeasedMonitor,
    { look, startedAt, before }: Found,
    { cause, creditsCharged }: { readonly cause: RunCause; readonly creditsCharged: number },
  ): Promise<FinishedRun | null> {
    if (!(await this.store.isHeld(tx, monitor))) return null;
    const now = this.clock.date();
    const known = await this.store.findingsOf(tx, monitor.id);
    const advanced = advanceFindings(monitor, known, look, { now, newId: randomId });
    const held = await this.suppressedLists(
      tx,
      monitor,
      { findings: advanced.findings, targets: look.targets.size },
      now,
    );
    const { findings, notifications } = notifyOfFindings(monitor, advanced.findings, {
      now,
      isSuppressed: (list) => held.lists.has(list),
    });
    const result = { facts: look.facts, findings: look.findings };
    const hash = factsHash(look.facts, look.findings);
    const id = randomId();
    const isSame = before?.hash === hash;
    const run: MonitorRun = {
      id,
      monitorId: monitor.id,
      number: monitor.runs + 1,
      cause,
      state: advanced.state,
      answered: look.answered,
      untrusted: look.isUntrusted,
      startedAt,
      finishedAt: now,
      factsHash: hash,
      changed: !isSame || advanced.opened > 0 || advanced.resolved > 0,
      resultOf: isSame ? before.runId : id,
      opened: advanced.opened,
      resolved: advanced.resolved,
      creditsCharged,
    };
    const silence = silenceAfter(monitor, look.answered, now);
    const why =
      look.isUntrusted && !look.answered ? { unanswered_why: untrustedSentence('monitor', creditsCharged === 0) } : {};
    const entries: TimelineEntry[] = [...advanced.entries];
    const events = [...runEvents(monitor, notifications, { state: advanced.state, runId: id, now })];
    if (before !== null && !isSame) entries.push({ type: 'facts.changed', data: { from: monitor.lastRunId } });
    if (advanced.state !== monitor.state)
      entries.push({ type: 'monitor.state', data: { before: monitor.state, after: advanced.state, ...why } });
    if (silence.isNotified) {
      entries.push({ type: 'monitor.stalled', data: { since: silence.since!.toISOString(), ...why } });
      events.push(stalledEvent(monitor, silence.since!, why.unanswered_why ?? null));
    }
    await this.store.addRun(tx, run, isSame ? null : result);
    await this.store.dropFindings(tx, advanced.dropped);
    await this.store.saveFindings(tx, findings);
    await this.store.addToTimeline(tx, monitor.id, { at: now, runId: id }, entries);
    let hasDeliveries = false;
    const { accountId, simulated } = monitor;
    for (const { type, data } of events)
      hasDeliveries =
        (await addToOutbox(tx, { accountId, simulated, type, at: now, data, batchId: null, url: null })).length > 0 ||
        hasDeliveries;
    await this.store.finish(tx, monitor.id, {
      state: advanced.state,
      run,
      unansweredSince: silence.since,
      stalledAt: silence.stalledAt,
      watched: look.targets.size,
      memory: { ...look.memory, learned: monitor.memory.learned === true || look.hasLearned },
      turns: this.scheduleAfter(monitor, soonest(advanced.againMs, held.againMs), now),
    });
    if (!simulated) runs.inc({ kind: monitor.kind, cause, state: run.state });
    return { run, result, hasDeliveries };
  }

  /**
   * Block lists whose alerts are withheld: those that too many monitored targets were listed on at once, and those of low standing until other
   * targets were looked at too. `againMs`: by when they will have been.
   */
  private async suppressedLists(
    tx: EntityManager,
    { id, simulated }: LeasedMonitor,
    { findings, targets }: { readonly findings: readonly MonitorFinding[]; readonly targets: number },
    now: Date,
  ): Promise<{ readonly lists: ReadonlySet<string>; readonly againMs: number | null }> {
    // Nobody's list is wrong in test mode.
    if (simulated) return { lists: new Set(), againMs: null };
    const turned = turnedLists(findings, now);
    if (turned.size > 0) {
      const since = this.suspicions.countedFrom;
      const others = await this.store.turned(tx, [...turned.keys()], since, id);
      const all = new Map(
        [...turned].map(([list, one]) => [list, { ...one, targets: one.targets + (others.get(list) ?? 0) }]),
      );
      await this.suspicions.weigh(tx, all, targets + (await this.store.watched(tx, since, id)));
    }
    const suspect = [...(await this.suspicions.lasting(tx)).keys()];
    const waiting = waitingLists(findings);
    const last = new Date(Math.max(0, ...[...waiting.values()].map((at) => at.getTime())));
    const due = waiting.size === 0 ? null : await this.store.othersDue(tx, id, last, { now, enough: OTHERS_ENOUGH });
    if (due === null) return { lists: new Set(suspect), againMs: null };
    // Those that are late are waited for as long again as they are late already, and not run after every minute.
    const againMs = Math.abs(due.getTime() - now.getTime()) + MINUTE_MS;
    return { lists: new Set([...suspect, ...waiting.keys()]), againMs };
  }

  private lease(holder: string): Lease {
    const now = this.clock.now();
    return { holder, now: new Date(now), until: new Date(now + LEASE_MS) };
  }

  private scheduleAfter(monitor: LeasedMonitor, againMs: number | null, now: Date): readonly Date[] {
    const { id, simulated, policy } = monitor;
    const intervalMinutes = Math.max(monitor.intervalMinutes, policyNamed(this.policies, policy).monitorMinutes);
    const turns = nextRunTimes({ id, simulated, intervalMinutes, runs: monitor.runs + 1 }, now.getTime());
    const again = againMs === null ? null : new Date(now.getTime() + againMs);
    return again !== null && turns.every((turn) => turn > again) ? [again] : turns;
  }
}

function soonest(...waits: readonly (number | null)[]): number | null {
  const known = waits.filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}

interface Silence {
  readonly since: Date | null;
  readonly stalledAt: Date | null;
  readonly isNotified: boolean;
}

/** Silence must never mean health: its owner is told once of a monitor that does not learn what decides about its state. */
function silenceAfter(monitor: LeasedMonitor, answered: boolean, now: Date): Silence {
  if (answered) return { since: null, stalledAt: null, isNotified: false };
  const since = monitor.unansweredSince ?? now;
  const intervalsMs = monitor.simulated ? 0 : 3 * monitor.intervalMinutes * MINUTE_MS;
  const patienceMs = Math.max(timingsOf(monitor.simulated).stalledMs, intervalsMs);
  const isNotified = monitor.stalledAt === null && now.getTime() - since.getTime() >= patienceMs;
  return { since, stalledAt: isNotified ? now : monitor.stalledAt, isNotified };
}
