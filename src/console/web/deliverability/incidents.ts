import type { Account } from '../session/api.js';
import { duration, SECOND_MS } from '../parts/values.js';

export type MonitorEvent = Account['schemas']['MonitorEventReply'];

/** The events of one incident, or one event of the monitor itself. */
export interface Happening {
  readonly id: number;
  /** What is wrong, such as `dmarc_missing example.com`; null: it is no incident. */
  readonly title: string | null;
  /** How long it lasted, or lasts; null: these events do not say it. */
  readonly span: string | null;
  /** The oldest first. */
  readonly events: readonly MonitorEvent[];
}

/**
 * A page of a timeline by incident; where something happened last stands first.
 * @param isNewest older pages do not know what happened afterwards
 */
export function happeningsIn(page: readonly MonitorEvent[], isNewest: boolean, now: number): Happening[] {
  const groups = new Map<number, MonitorEvent[]>();
  // Muting carries no incident: it belongs to the one that its finding had then.
  const incidents = new Map<number, number>();
  for (const event of page.toReversed()) {
    const { finding_id: finding, data } = event;
    const given = data['incident_id'];
    const known = finding === null ? event.id : (incidents.get(finding) ?? finding);
    const id = typeof given === 'number' ? given : known;
    if (finding !== null) incidents.set(finding, id);
    // In the order of their last event, the latest at the end.
    const events = [...(groups.get(id) ?? []), event];
    groups.delete(id);
    groups.set(id, events);
  }
  return [...groups].toReversed().map(([id, events]) => {
    const named = events.find(({ data }) => 'code' in data)?.data ?? {};
    return {
      id,
      title: events[0]!.finding_id === null ? null : textsIn(named, 'code', 'subject') || 'A finding',
      span: spanOf(events, isNewest, now),
      events,
    };
  });
}

/** Those of the members that are texts. */
export const textsIn = (data: MonitorEvent['data'], ...names: readonly string[]): string =>
  names.flatMap((name) => (typeof data[name] === 'string' ? [data[name]] : [])).join(' ');

function spanOf(events: readonly MonitorEvent[], isNewest: boolean, now: number): string | null {
  const turns = events.filter(({ type }) => type === 'finding.opened' || type === 'finding.resolved');
  const [first, last] = [turns[0], turns.at(-1)];
  if (first?.type !== 'finding.opened') return null;
  const lasted = (until: number) => duration((until - Date.parse(first.at)) / SECOND_MS);
  if (last!.type === 'finding.resolved') return `over after ${lasted(Date.parse(last!.at))}`;
  return isNewest ? `open for ${lasted(now)}` : null;
}
