import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../async/durations.js';
import { DAILY_AREAS, type FindingArea } from '../../engine/domain/finding.js';
import type { MonitorMemory } from '../model/monitor.js';
import type { SeenFinding } from '../model/monitor-run.js';
import { afterDaily, askedAreas, withDaily } from './daily-areas.js';

const START = Date.UTC(2026, 10, 26);
const at = (hours: number) => new Date(START + hours * HOUR_MS);

const found = (code: string, area: FindingArea): SeenFinding => ({
  code,
  area,
  severity: 'critical',
  subject: 'mx.example.com',
  explanation: '',
  evidence: {},
  fix: null,
  rfc: null,
});
const EXPIRED = found('cert_expired', 'starttls');
const NO_DMARC = found('dmarc_missing', 'dmarc');
const ALL = new Set<FindingArea>(['dmarc', 'starttls']);

const look = (memory: MonitorMemory, findings: readonly SeenFinding[], hours: number) =>
  afterDaily(memory, { findings, answered: ALL }, at(hours));

describe('mail hosts, registries and web servers', () => {
  it('are asked once a day, whatever the interval, when they say the same', () => {
    const memory = look({}, [], 0);
    expect(askedAreas({}, at(0))).toBeNull();
    for (const area of DAILY_AREAS) expect(askedAreas(memory, at(23))).not.toContain(area);
    expect(askedAreas(memory, at(23))).toContain('dmarc');
    expect(askedAreas(memory, at(24))).toBeNull();
  });

  it('are asked again by the next run when they say something else, and then rest for a day', () => {
    const once = look(look({}, [], 0), [EXPIRED], 24);
    expect(askedAreas(once, at(24.1))).toBeNull();
    const twice = look(once, [EXPIRED], 24.1);
    expect(askedAreas(twice, at(25))).not.toBeNull();
  });

  it('have said what they said until they are asked again, which no other area has', () => {
    const memory = look({}, [EXPIRED, NO_DMARC], 0);
    const said = withDaily({ findings: [], answered: new Set(['dmarc']) }, memory, ['dmarc']);
    expect(said.findings).toEqual([EXPIRED]);
    expect([...said.answered].toSorted()).toEqual(['dmarc', 'starttls']);
    const fresh = { findings: [], answered: ALL };
    expect(withDaily(fresh, memory, null)).toBe(fresh);
  });
});
