import { isFlapping } from '../findings/advance.js';
import { timingsOf } from '../findings/timings.js';
import type {
  ListFact,
  MonitorEvent,
  MonitorFinding,
  MonitorRun,
  RunResult,
  RunWithResult,
  SeenFinding,
} from '../findings/monitor-run.js';
import { shownState } from '../findings/monitor.js';
import type { MonitorEventReply, MonitorFindingReply } from './monitor-findings.reply.js';
import type { MonitorDiffReply, MonitorRunReply, MonitorRunWithResultReply } from './monitor-runs.reply.js';
import type { MonitorReply } from './monitors.reply.js';
import type { MonitorWithCounts } from '../monitors.store.js';
import type { FoundRecord } from '../../domains/domain-result.js';
import { nameOf } from '../findings/observation.js';

/** @param now those that are muted longer are shown */
export function monitorReply(monitor: MonitorWithCounts, now: number): MonitorReply {
  const { settings, paused } = monitor;
  return {
    id: monitor.id,
    kind: monitor.kind,
    target: monitor.target,
    name: monitor.name,
    state: shownState(monitor),
    paused_by: paused,
    paused_why: monitor.pausedWhy,
    enabled: paused !== 'owner',
    interval_minutes: monitor.intervalMinutes,
    checks: settings.checks,
    dkim_selectors: settings.dkimSelectors,
    sending_addresses: settings.sendingAddresses,
    alert_from: settings.alertFrom,
    notify_first: settings.notifyFirst,
    muted_lists: Object.entries(settings.mutedLists ?? {})
      .filter(([, { until }]) => Date.parse(until) > now)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([list, { until, note, since = null, keyId = null }]) => ({
        list,
        muted_until: until,
        note,
        since,
        key_id: keyId,
      })),
    open: monitor.open,
    created_at: monitor.createdAt.toISOString(),
    next_run_at: paused === null ? monitor.nextRunAt.toISOString() : null,
    last_run_at: monitor.lastRunAt?.toISOString() ?? null,
    last_run_id: monitor.lastRunId,
    unanswered_since: monitor.unansweredSince?.toISOString() ?? null,
  };
}

export function runReply(run: MonitorRun): Pick<MonitorRunReply, keyof MonitorRunReply> {
  return {
    id: run.id,
    monitor_id: run.monitorId,
    number: run.number,
    cause: run.cause,
    state: run.state,
    answered: run.answered,
    changed: run.changed,
    opened: run.opened,
    resolved: run.resolved,
    credits_charged: run.creditsCharged,
    started_at: run.startedAt.toISOString(),
    finished_at: run.finishedAt.toISOString(),
  };
}

export function runWithResultReply(run: RunWithResult): MonitorRunWithResultReply {
  return { ...runReply(run), facts: run.result.facts, findings: run.result.findings };
}

export function findingReply(
  finding: MonitorFinding,
  { simulated }: { readonly simulated: boolean },
  now: Date,
): MonitorFindingReply {
  const { id, incidentId, code, area, severity, subject, explanation, evidence, fix, rfc } = finding;
  return {
    id,
    incident_id: incidentId ?? id,
    code,
    area,
    severity,
    subject,
    explanation,
    evidence,
    fix,
    rfc,
    state: finding.state,
    flapping: isFlapping(finding, now, timingsOf(simulated)),
    first_seen_at: finding.firstSeenAt.toISOString(),
    confirmed_at: finding.confirmedAt?.toISOString() ?? null,
    last_seen_at: finding.lastSeenAt.toISOString(),
    resolved_at: finding.state === 'resolved' ? (finding.resolvedAt?.toISOString() ?? null) : null,
    muted_until: finding.mutedUntil?.toISOString() ?? null,
    note: finding.note,
  };
}

export function eventReply({
  id,
  at,
  type,
  runId,
  findingId,
  data,
}: MonitorEvent): Pick<MonitorEventReply, keyof MonitorEventReply> {
  return { id, at: at.toISOString(), type, run_id: runId, finding_id: findingId, data };
}

/** What differs between two runs. A name and type that has records in both, and others, has changed; the order is no change. */
export function runDiff(from: RunWithResult, to: RunWithResult): MonitorDiffReply {
  const records = recordDiff(from.result.facts.records, to.result.facts.records);
  return {
    from: from.id,
    to: to.id,
    ...records,
    listings_changed: listingDiff(from.result.facts.blacklists, to.result.facts.blacklists),
    findings_opened: without(to.result, from.result),
    findings_resolved: without(from.result, to.result),
  };
}

function recordDiff(before: readonly FoundRecord[], after: readonly FoundRecord[]) {
  const [old, now] = [byPlace(before), byPlace(after)];
  const added: FoundRecord[] = [];
  const removed: FoundRecord[] = [];
  const changed: MonitorDiffReply['records_changed'][number][] = [];
  for (const place of new Set([...old.keys(), ...now.keys()])) {
    const [a, b] = [old.get(place) ?? [], now.get(place) ?? []];
    if (a.length === 0) added.push(...b);
    else if (b.length === 0) removed.push(...a);
    else if (JSON.stringify(valuesOf(a)) !== JSON.stringify(valuesOf(b))) {
      const { name, type } = a[0]!;
      changed.push({ name, type, before: valuesOf(a), after: valuesOf(b) });
    }
  }
  return { records_added: added, records_removed: removed, records_changed: changed };
}

function byPlace(records: readonly FoundRecord[]): ReadonlyMap<string, readonly FoundRecord[]> {
  const places = new Map<string, FoundRecord[]>();
  for (const record of records) {
    const place = `${record.area} ${record.name} ${record.type}`;
    places.set(place, [...(places.get(place) ?? []), record]);
  }
  return places;
}

function valuesOf(records: readonly FoundRecord[]): string[] {
  return records.map(({ value }) => value).toSorted();
}

function listingDiff(before: readonly ListFact[], after: readonly ListFact[]): MonitorDiffReply['listings_changed'] {
  const keyOf = ({ list, target }: ListFact) => `${list} ${target}`;
  const [old, now] = [before, after].map((facts) => new Map(facts.map((fact) => [keyOf(fact), fact])));
  return [...new Set([...old!.keys(), ...now!.keys()])].flatMap((key) => {
    const [a, b] = [old!.get(key) ?? null, now!.get(key) ?? null];
    if (a?.status === b?.status) return [];
    const { list, target } = (a ?? b)!;
    return [{ list, target, before: a?.status ?? null, after: b?.status ?? null }];
  });
}

function without({ findings }: RunResult, other: RunResult): readonly SeenFinding[] {
  const names = new Set(other.findings.map(nameOf));
  return findings.filter((finding) => !names.has(nameOf(finding)));
}
