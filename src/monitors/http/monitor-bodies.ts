import { isFlapping } from '../hysteresis/advance.js';
import { paceOf } from '../hysteresis/pace.js';
import type { MonitorEvent } from '../model/monitor-event.js';
import type { MonitorFinding } from '../model/monitor-finding.js';
import { shownState } from '../model/monitor.js';
import type { MonitorRun, RunWithResult } from '../model/monitor-run.js';
import type { MonitorEventReply, MonitorFindingReply } from './monitor-findings.reply.js';
import type { MonitorRunReply, MonitorRunWithResultReply } from './monitor-runs.reply.js';
import type { MonitorReply } from './monitors.reply.js';
import type { MonitorWithCounts } from '../settings/monitors.store.js';

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
    flapping: isFlapping(finding, now, paceOf(simulated)),
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
