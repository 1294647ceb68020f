import { describe, expect, it } from 'vitest';
import { happeningsIn, type MonitorEvent } from './incidents.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const FAULT = { incident_id: 70, code: 'dmarc_missing', subject: 'example.com', severity: 'critical' };

let ids = 0;
const event = (time: string, type: MonitorEvent['type'], data: object = {}, finding: number | null = 7) => ({
  id: (ids += 1),
  at: `2026-11-30T${time}:00Z`,
  type,
  run_id: null,
  finding_id: type.startsWith('finding.') ? finding : null,
  data: { ...data },
});
const page = (...oldestFirst: MonitorEvent[]) => oldestFirst.toReversed();
const shapeOf = (events: MonitorEvent[], isNewest = true) =>
  happeningsIn(events, isNewest, NOW).map(({ title, span, events: own }) => [title, span, own.map(({ type }) => type)]);

describe('a timeline by incident', () => {
  it('a timeline by incident has the events of an incident together, from its first sign to its end, with how long it lasted', () => {
    const events = page(
      event('08:00', 'finding.suspected', FAULT),
      event('08:05', 'monitor.state', { before: 'ok', after: 'critical' }),
      event('08:05', 'finding.opened', FAULT),
      event('09:00', 'finding.muted', { muted_until: null }),
      event('10:05', 'finding.resolved', FAULT),
      event('11:00', 'facts.changed'),
    );
    expect(shapeOf(events)).toEqual([
      [null, null, ['facts.changed']],
      [
        'dmarc_missing example.com',
        'over after 2 h',
        ['finding.suspected', 'finding.opened', 'finding.muted', 'finding.resolved'],
      ],
      [null, null, ['monitor.state']],
    ]);
  });

  it('a timeline by incident keeps two incidents of one finding apart', () => {
    const again = { ...FAULT, incident_id: 71 };
    const events = page(
      event('08:00', 'finding.opened', FAULT),
      event('09:00', 'finding.resolved', FAULT),
      event('10:00', 'finding.opened', again),
    );
    expect(shapeOf(events).map(([, span]) => span)).toEqual(['open for 2 h', 'over after 1 h']);
  });

  it('a timeline by incident says nothing of a length that its page does not show', () => {
    const opened = page(event('08:00', 'finding.opened', FAULT));
    expect(shapeOf(opened, false)).toEqual([['dmarc_missing example.com', null, ['finding.opened']]]);
    const resolved = page(event('08:00', 'finding.resolved', FAULT));
    expect(shapeOf(resolved)[0]?.[1]).toBeNull();
    const muted = page(event('08:00', 'finding.muted'));
    expect(shapeOf(muted)).toEqual([['A finding', null, ['finding.muted']]]);
  });
});
