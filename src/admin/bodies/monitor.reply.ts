import { ApiProperty } from '@nestjs/swagger';
import { MONITOR_KINDS, MONITOR_STATES, type Monitor, PAUSES, shownState } from '../../monitors/findings/monitor.js';
import type { MonitorsOverview } from '../../monitors/monitor-overview.service.js';
import { TIME_OR_NULL, COUNT, ID_SCHEMA, TEXT_OR_NULL } from '../../platform/http/schemas.js';

export class AnyMonitorReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ format: 'uuid' })
  readonly account_id: string;

  @ApiProperty({ enum: ['live', 'test'] })
  readonly mode: string;

  @ApiProperty({ enum: MONITOR_KINDS })
  readonly kind: string;

  @ApiProperty()
  readonly target: string;

  @ApiProperty({ enum: MONITOR_STATES })
  readonly state: string;

  @ApiProperty({ enum: PAUSES, type: String, nullable: true })
  readonly paused_by: string | null;

  @ApiProperty(TEXT_OR_NULL)
  readonly paused_why: string | null;

  @ApiProperty({ type: 'integer', minimum: 1 })
  readonly interval_minutes: number;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Null while it is paused.' })
  readonly next_run_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly last_run_at: string | null;
}

export class MonitorCountsReply {
  @ApiProperty(COUNT)
  readonly pending: number;

  @ApiProperty(COUNT)
  readonly ok: number;

  @ApiProperty(COUNT)
  readonly warning: number;

  @ApiProperty(COUNT)
  readonly critical: number;

  @ApiProperty(COUNT)
  readonly unknown: number;

  @ApiProperty(COUNT)
  readonly paused: number;
}

export class AllMonitorsReply {
  @ApiProperty({ type: 'number', minimum: 0, description: 'How long the live one that has waited longest is due.' })
  readonly oldest_due_seconds: number;

  @ApiProperty({ ...COUNT, description: 'Live ones that are due and wait.' })
  readonly due: number;

  @ApiProperty({ type: MonitorCountsReply, description: 'Live ones.' })
  readonly by_state: MonitorCountsReply;

  @ApiProperty({
    type: [AnyMonitorReply],
    description:
      'At most 100 that run next, the most overdue first, and at most 100 that are paused, by administrators first.',
  })
  readonly monitors: readonly AnyMonitorReply[];
}

export function anyMonitorReply(monitor: Monitor): AnyMonitorReply {
  const { paused } = monitor;
  return {
    id: monitor.id,
    account_id: monitor.accountId,
    mode: monitor.simulated ? 'test' : 'live',
    kind: monitor.kind,
    target: monitor.target,
    state: shownState(monitor),
    paused_by: paused,
    paused_why: monitor.pausedWhy,
    interval_minutes: monitor.intervalMinutes,
    next_run_at: paused === null ? monitor.nextRunAt.toISOString() : null,
    last_run_at: monitor.lastRunAt?.toISOString() ?? null,
  };
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
