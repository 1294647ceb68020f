import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../lib/durations.js';
import { DAILY_AREAS, type FindingArea } from '../../../engine/domain/finding.js';
import type { MonitorMemory } from './monitor.js';
import type { SeenFinding } from './monitor-run.js';
import { afterDaily, areasToCheck, isDailyDue, withDaily } from './watched-scope.js';

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
const DMARC = new Set<FindingArea>(['dmarc']);

const look = (memory: MonitorMemory, findings: readonly SeenFinding[], hours: number, watched = ALL) =>
  afterDaily(memory, { findings, answered: ALL }, watched, at(hours));
const isDue = (memory: MonitorMemory, hours: number, watched = ALL) => isDailyDue(memory, watched, at(hours));

describe('mail hosts, registries and web servers', () => {
  it('mail hosts, registries and web servers are asked once a day, whatever the interval, when they say the same', () => {
    const memory = look({}, [], 0);
    expect([isDue({}, 0), isDue(memory, 23), isDue(memory, 24)]).toEqual([true, false, true]);
    for (const area of DAILY_AREAS) expect(areasToCheck(ALL, false)).not.toContain(area);
    expect(areasToCheck(ALL, false)).toContain('dmarc');
  });

  it('mail hosts, registries and web servers are asked about what is watched alone, and at once about what is watched from now on', () => {
    expect(areasToCheck(ALL, true)).toContain('starttls');
    expect(areasToCheck(DMARC, true)).not.toContain('starttls');
    const memory = look({}, [], 0, DMARC);
    expect([isDue(memory, 1, DMARC), isDue(memory, 1)]).toEqual([false, true]);
  });

  it('mail hosts, registries and web servers are asked again by the next run when they say something else, and then rest for a day', () => {
    const once = look(look({}, [], 0), [EXPIRED], 24);
    expect(isDue(once, 24.1)).toBe(true);
    const twice = look(once, [EXPIRED], 24.1);
    expect(isDue(twice, 25)).toBe(false);
  });

  it('mail hosts, registries and web servers have said what they said until they are asked again, which no other area has', () => {
    const memory = look({}, [EXPIRED, NO_DMARC], 0);
    const said = withDaily({ findings: [], answered: new Set(['dmarc']) }, memory);
    expect(said.findings).toEqual([EXPIRED]);
    expect([...said.answered].toSorted()).toEqual(['dmarc', 'starttls']);
  });
});
