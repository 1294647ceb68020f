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

/** What an owner has set to say nothing of, or has written to it. */
export interface Mute {
  /** Null: it is told of. */
  readonly until: Date | null;
  readonly note: string | null;
}

/** What a change made of it, in the word of the timeline; null: nothing that anybody would notice. */
export function muteChange(before: Mute, after: Mute, now: Date): 'muted' | 'unmuted' | 'noted' | null {
  const untilOf = ({ until }: Mute): number | null => (until === null || until <= now ? null : until.getTime());
  if (untilOf(before) !== untilOf(after)) return untilOf(after) === null ? 'unmuted' : 'muted';
  return before.note === after.note ? null : 'noted';
}

export interface MonitorEvent {
  readonly id: number;
  readonly at: Date;
  readonly type: MonitorEventType;
  readonly runId: number | null;
  readonly findingId: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}
