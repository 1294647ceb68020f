import type { FindingSeverity } from '../../../engine/domain/finding.js';
import type { Monitor, MonitorSettings } from './monitor.js';
import type { FindingMemory, MonitorFinding } from './monitor-run.js';
import { isFlapping } from './advance.js';
import { type Timings, timingsOf } from './timings.js';

/** What the owner is told of a finding. */
export type Notification = 'opened' | 'worsened' | 'eased' | 'resolved' | 'flapping';

export interface NotificationRules {
  readonly now: Date;
  readonly timings: Timings;
  readonly alertFrom: FindingSeverity;
  /** Its block list is not believed yet: what it says waits. */
  readonly isSuppressed: boolean;
}

export interface FindingNotification {
  readonly finding: MonitorFinding;
  readonly notification: Notification;
}

export const BY_SEVERITY: readonly FindingSeverity[] = ['info', 'warning', 'critical'];

/** What is to be told, and what is known to be told afterwards. @param isHeld whether a block list is under suspicion */
export function notifyOfFindings(
  { simulated, settings, memory }: Monitor,
  findings: readonly MonitorFinding[],
  { now, isSuppressed }: { readonly now: Date; readonly isSuppressed: (list: string) => boolean },
): { readonly findings: readonly MonitorFinding[]; readonly notifications: readonly FindingNotification[] } {
  const timings = timingsOf(simulated);
  const isSilent = memory.learned !== true && !settings.notifyFirst;
  const notifications: FindingNotification[] = [];
  const after = findings.map((finding) => {
    if (isSilent)
      return finding.state === 'open' && finding.notifiedState === null ? markNotified(finding, null) : finding;
    // A listing that does no harm is never an alert.
    const alertFrom = finding.list !== null && settings.alertFrom === 'info' ? 'warning' : settings.alertFrom;
    const mutedUntil = mutedBoth(finding, settings);
    const notification = notificationFor(
      { ...finding, mutedUntil },
      { now, timings, alertFrom, isSuppressed: finding.list !== null && isSuppressed(finding.list) },
    );
    if (notification === null) return finding;
    const notified = markNotified(finding, now);
    notifications.push({ finding: notified, notification });
    return notified;
  });
  return { findings: after, notifications };
}

/**
 * What is to be told of a finding now; null: nothing. What becomes worse, and what is over, is told at once; what becomes milder, and what
 * opens again, when the last notification about it is `cooldownMs` old. Whoever has heard of a finding hears its end, however mild it was by
 * then. What cannot be told now, because the owner has muted it or its list is not believed yet, is told later if it is still so.
 */
export function notificationFor(
  finding: FindingMemory & { readonly mutedUntil: Date | null },
  rules: NotificationRules,
): Notification | null {
  const { now, timings, alertFrom, isSuppressed } = rules;
  const { state, severity, notifiedState, notifiedSeverity, notifiedAt, mutedUntil } = finding;
  const isLoud = rank(severity) >= rank(alertFrom);
  const isHeard =
    notifiedState === 'open' && (notifiedAt !== null || rank(notifiedSeverity ?? severity) >= rank(alertFrom));
  // That it is over is told whatever is thought of the list: who was told of the listing waits for it.
  if ((isSuppressed && state !== 'resolved') || !(isLoud || isHeard) || (mutedUntil !== null && mutedUntil > now))
    return null;
  const flapping = isFlapping(finding, now, timings);
  const sinceToldMs = notifiedAt === null ? Infinity : now.getTime() - notifiedAt.getTime();
  if (flapping && sinceToldMs < timings.flappingCooldownMs) return null;
  if (state === 'resolved') return isHeard ? 'resolved' : null;
  if (state === 'suspected') return null;
  const isQuiet = sinceToldMs >= timings.cooldownMs;
  if (isHeard && notifiedSeverity !== null && rank(severity) < rank(notifiedSeverity)) return isQuiet ? 'eased' : null;
  if (!isLoud) return null;
  if (notifiedState !== 'open') return isQuiet ? 'opened' : null;
  if (notifiedSeverity !== null && rank(severity) > rank(notifiedSeverity)) return 'worsened';
  return flapping ? 'flapping' : null;
}

/** @param at null: nobody was told, and nobody is to be */
export function markNotified<T extends FindingMemory>(finding: T, at: Date | null): T {
  const notifiedState = finding.state === 'resolved' ? 'resolved' : 'open';
  return { ...finding, notifiedState, notifiedSeverity: finding.severity, notifiedAt: at };
}

/** Until when a finding is muted, by itself or with all that its block list says; null: it is not. */
function mutedBoth({ list, mutedUntil }: MonitorFinding, { mutedLists = {} }: MonitorSettings): Date | null {
  const until = list !== null && Object.hasOwn(mutedLists, list) ? new Date(mutedLists[list]!.until) : null;
  return until !== null && (mutedUntil === null || until > mutedUntil) ? until : mutedUntil;
}

function rank(severity: FindingSeverity): number {
  return BY_SEVERITY.indexOf(severity);
}
