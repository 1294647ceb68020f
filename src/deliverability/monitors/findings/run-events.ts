import type { EventType } from '../../../events/outbox.js';
import type { FindingNotification } from './notification-policy.js';
import { isFlapping } from './advance.js';
import { timingsOf } from './timings.js';
import type { HealthState, Monitor } from './monitor.js';

interface RunEvent {
  readonly type: EventType;
  readonly data: object;
}

/** What a run makes true for endpoints: one event for each listing, and one for everything else together. */
export function runEvents(
  monitor: Monitor,
  notifications: readonly FindingNotification[],
  { state, runId, now }: { readonly state: HealthState; readonly runId: number; readonly now: Date },
): readonly RunEvent[] {
  const listings = notifications.filter(({ finding }) => finding.list !== null);
  const others = notifications.filter(({ finding }) => finding.list === null);
  const notified = (what: string) =>
    others.filter((one) => one.notification === what).map(({ finding }) => findingBody(finding, monitor, now));
  const changed: RunEvent = {
    type: 'monitor.changed',
    data: {
      ...monitorBody(monitor),
      state_before: monitor.state,
      state,
      opened: notified('opened'),
      worsened: notified('worsened'),
      eased: notified('eased'),
      resolved: notified('resolved'),
      flapping: notified('flapping'),
      run_id: runId,
    },
  };
  return [
    ...listings.map(({ finding, notification }): RunEvent => ({
      type: notification === 'resolved' ? 'blacklist.delisted' : 'blacklist.listed',
      data: { ...monitorBody(monitor), ...listingBody(finding, monitor, now), run_id: runId },
    })),
    ...(others.length > 0 ? [changed] : []),
  ];
}

/** @param unansweredWhy the sentence where our own resolver was not believed; null: it was */
export function stalledEvent(monitor: Monitor, since: Date, unansweredWhy: string | null): RunEvent {
  const last_run_at = monitor.lastRunAt?.toISOString() ?? null;
  return {
    type: 'monitor.stalled',
    data: { ...monitorBody(monitor), since: since.toISOString(), last_run_at, unanswered_why: unansweredWhy },
  };
}

function monitorBody({ id, kind, target, name }: Monitor): object {
  return { monitor_id: id, kind, target, name };
}

function findingBody(finding: FindingNotification['finding'], { simulated }: Monitor, now: Date): object {
  const { id, incidentId, code, area, severity, subject, explanation, firstSeenAt, fix } = finding;
  const flapping = isFlapping(finding, now, timingsOf(simulated));
  return {
    finding_id: id,
    incident_id: incidentId ?? id,
    code,
    area,
    severity,
    subject,
    explanation,
    since: firstSeenAt.toISOString(),
    flapping,
    fix,
  };
}

function listingBody(finding: FindingNotification['finding'], { simulated }: Monitor, now: Date): object {
  const { evidence, list, id, incidentId, severity, firstSeenAt } = finding;
  return {
    finding_id: id,
    incident_id: incidentId ?? id,
    listed: evidence['target'],
    list,
    meaning: evidence['meaning'],
    severity,
    list_severity: evidence['list_severity'],
    since: firstSeenAt.toISOString(),
    flapping: isFlapping(finding, now, timingsOf(simulated)),
    lookup_url: evidence['lookup_url'],
    delist_url: evidence['delist_url'],
  };
}
