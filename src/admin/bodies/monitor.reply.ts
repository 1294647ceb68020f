import {
  MONITOR_KINDS,
  MONITOR_STATES,
  type Monitor,
  PAUSES,
  shownState,
} from '../../deliverability/monitors/findings/monitor.js';
import type { MonitorsOverview } from '../../deliverability/monitors/monitor-overview.service.js';
import { field, Reply, replyOf } from '../../platform/http/reply.js';

export class AnyMonitorReply extends Reply({
  id: field.id(),
  account_id: field.uuid(),
  mode: field.oneOf(['live', 'test']),
  kind: field.oneOf(MONITOR_KINDS),
  target: field.text(),
  state: field.oneOf(MONITOR_STATES),
  paused_by: field.oneOfOrNull(PAUSES),
  paused_why: field.textOrNull(),
  interval_minutes: field.countFromOne(),
  next_run_at: field.timeOrNull('Null while it is paused.'),
  last_run_at: field.timeOrNull(),
}) {}

export class MonitorCountsReply extends Reply({
  pending: field.count(),
  ok: field.count(),
  warning: field.count(),
  critical: field.count(),
  unknown: field.count(),
  paused: field.count(),
}) {}

export class AllMonitorsReply extends Reply({
  oldest_due_seconds: field.number({
    minimum: 0,
    description: 'How long the live one that has waited longest is due.',
  }),
  due: field.count('Live ones that are due and wait.'),
  by_state: field.one(MonitorCountsReply, 'Live ones.'),
  monitors: field.listOf(
    AnyMonitorReply,
    'At most 100 that run next, the most overdue first, and at most 100 that are paused, by administrators first.',
  ),
}) {}

export function anyMonitorReply(monitor: Monitor): AnyMonitorReply {
  const { paused } = monitor;
  return replyOf(AnyMonitorReply, {
    ...monitor,
    mode: monitor.simulated ? 'test' : 'live',
    state: shownState(monitor),
    pausedBy: paused,
    nextRunAt: paused === null ? monitor.nextRunAt : null,
  });
}

export function allMonitorsReply(
  { oldestDue, due, byState }: MonitorsOverview,
  monitors: readonly Monitor[],
  now: Date,
): AllMonitorsReply {
  const count = (state: string) => byState[state] ?? 0;
  return {
    oldest_due_seconds: oldestDue === null ? 0 : Math.max(0, now.getTime() - oldestDue.getTime()) / 1000,
    due,
    by_state: {
      pending: count('pending'),
      ok: count('ok'),
      warning: count('warning'),
      critical: count('critical'),
      unknown: count('unknown'),
      paused: count('paused'),
    },
    monitors: monitors.map(anyMonitorReply),
  };
}
