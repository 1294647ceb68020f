import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MINUTE_MS } from '../../lib/durations.js';
import { ListSuspicions } from '../../blacklists/suspicions/list-suspicions.service.js';
import { addToOutbox } from '../../events/outbox.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { KEY_POLICIES, type KeyPolicies, policyNamed } from '../../platform/config/policies.js';
import { randomId } from '../../platform/random-id.js';
import { countRun } from '../monitor-metrics.js';
import { advanceFindings, type Happening, tellFindings, turnedLists, waitingLists } from '../hysteresis/judge-run.js';
import type { Look } from '../hysteresis/look.js';
import { paceOf } from '../hysteresis/pace.js';
import { factsHash } from '../model/facts.js';
import type { MonitorFinding } from '../model/monitor-finding.js';
import type { MonitorRun, RunCause, RunResult } from '../model/monitor-run.js';
import { nextTurns } from '../model/turns.js';
import { MonitorLooks } from './monitor-looks.service.js';
import { runEvents, stalledEvent } from './run-events.js';
import { type LeasedMonitor, RunsStore } from './runs.store.js';

/** So many other monitors are looked at before a list of low standing is believed: a list that lists the world would have them too. */
const OTHERS_ENOUGH = 10;

/** What a look has found, before any of it counts. */
export interface Found {
  readonly look: Look;
  readonly startedAt: Date;
  readonly before: (RunResult & { readonly hash: string; readonly runId: number }) | null;
}

export interface FinishedRun {
  readonly run: MonitorRun;
  readonly result: RunResult;
  /** Whether endpoints are to be told. */
  readonly isTold: boolean;
}

/**
 * Runs a monitor that this process holds: looks, and then writes down what was found.
 *
 * What a run leaves (its row, the findings, the timeline, the events for endpoints and the time of the next run) is one transaction, which
 * first asks whether the monitor is still held by the same lease. So a process that is killed leaves all of it or nothing, and of two
 * that ran one monitor the second leaves nothing. At a fault the lease expires, and another process runs the monitor.
 */
@Injectable()
export class MonitorRuns {
  constructor(
    private readonly store: RunsStore,
    private readonly looks: MonitorLooks,
    private readonly suspicions: ListSuspicions,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Who asks for a run wants to know how it is now, whatever is remembered. */
  async find(monitor: LeasedMonitor, cause: RunCause): Promise<Found> {
    const startedAt = new Date(this.clock.now());
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
    const now = new Date(this.clock.now());
    const known = await this.store.findingsOf(tx, monitor.id);
    const advanced = advanceFindings(monitor, known, look, { now, newId: randomId });
    const held = await this.heldLists(tx, monitor, { findings: advanced.findings, targets: look.targets.size }, now);
    const { findings, spoken } = tellFindings(monitor, advanced.findings, {
      now,
      isHeld: (list) => held.lists.has(list),
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
    const happenings: Happening[] = [
      ...advanced.happenings,
      ...(before !== null && !isSame
        ? [{ type: 'facts.changed', findingId: null, data: { from: monitor.lastRunId } } as const]
        : []),
      ...(advanced.state === monitor.state
        ? []
        : [
            { type: 'monitor.state', findingId: null, data: { before: monitor.state, after: advanced.state } } as const,
          ]),
      ...(silence.isTold
        ? [{ type: 'monitor.stalled', findingId: null, data: { since: silence.since!.toISOString() } } as const]
        : []),
    ];
    const events = [
      ...runEvents(monitor, spoken, { state: advanced.state, runId: id, now }),
      ...(silence.isTold ? [stalledEvent(monitor, silence.since!)] : []),
    ];
    await this.store.addRun(tx, run, isSame ? null : result);
    await this.store.dropFindings(tx, advanced.dropped);
    await this.store.saveFindings(tx, findings);
    await this.store.addHappenings(tx, monitor.id, { at: now, runId: id }, happenings);
    let isTold = false;
    const { accountId, simulated } = monitor;
    for (const { type, data } of events)
      isTold =
        (await addToOutbox(tx, { accountId, simulated, type, at: now, data, batchId: null, url: null })).length > 0 ||
        isTold;
    await this.store.finish(tx, monitor.id, {
      state: advanced.state,
      run,
      unansweredSince: silence.since,
      stalledAt: silence.stalledAt,
      watched: look.targets.size,
      memory: { ...look.memory, learned: monitor.memory.learned === true || look.hasLearned },
      turns: this.turnsAfter(monitor, soonest(advanced.againMs, held.againMs), now),
    });
    countRun(monitor, run);
    return { run, result, isTold };
  }

  /**
   * Lists whose words wait: those that too many targets turned up on at once, and those of low standing until other targets were looked at
   * too. `againMs`: by when they will have been.
   */
  private async heldLists(
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

  private turnsAfter(monitor: LeasedMonitor, againMs: number | null, now: Date): readonly Date[] {
    const { id, simulated, policy } = monitor;
    const intervalMinutes = Math.max(monitor.intervalMinutes, policyNamed(this.policies, policy).monitorMinutes);
    const turns = nextTurns({ id, simulated, intervalMinutes, runs: monitor.runs + 1 }, now.getTime());
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
  readonly isTold: boolean;
}

/** Silence must never mean health: its owner is told once of a monitor that does not learn what decides about its state. */
function silenceAfter(monitor: LeasedMonitor, answered: boolean, now: Date): Silence {
  if (answered) return { since: null, stalledAt: null, isTold: false };
  const since = monitor.unansweredSince ?? now;
  const intervalsMs = monitor.simulated ? 0 : 3 * monitor.intervalMinutes * MINUTE_MS;
  const patienceMs = Math.max(paceOf(monitor.simulated).stalledMs, intervalsMs);
  const isTold = monitor.stalledAt === null && now.getTime() - since.getTime() >= patienceMs;
  return { since, stalledAt: isTold ? now : monitor.stalledAt, isTold };
}
