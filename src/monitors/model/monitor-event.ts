/** What a timeline tells. */
export const MONITOR_EVENT_TYPES = [
  'monitor.created',
  'monitor.edited',
  'monitor.paused',
  'monitor.resumed',
  'monitor.state',
  'monitor.stalled',
  'finding.suspected',
  'finding.opened',
  'finding.worsened',
  'finding.eased',
  'finding.resolved',
  'finding.flapping',
  'finding.muted',
  'finding.unmuted',
  'finding.noted',
  'list.muted',
  'list.unmuted',
  'list.noted',
  'facts.changed',
] as const;
export type MonitorEventType = (typeof MONITOR_EVENT_TYPES)[number];

export interface MonitorEvent {
  readonly id: number;
  readonly at: Date;
  readonly type: MonitorEventType;
  readonly runId: number | null;
  readonly findingId: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}
