import { DAY_MS } from '../../async/durations.js';
import { DAILY_AREAS, FINDING_AREAS, type FindingArea } from '../../engine/domain/finding.js';
import type { MonitorMemory } from '../model/monitor.js';
import type { SeenFinding } from '../model/monitor-run.js';

/** What a run says of areas. */
interface Said {
  readonly findings: readonly SeenFinding[];
  readonly answered: ReadonlySet<FindingArea>;
}

/**
 * The areas that a run asks about: all, or those for which the DNS alone is asked. Mail hosts, registries and web servers are asked once
 * a day, and once more when what they say has changed, so that it is confirmed as soon as anything else.
 */
export function askedAreas(memory: MonitorMemory, now: Date): readonly FindingArea[] | null {
  const { at = null } = memory.daily ?? {};
  const isDue = at === null || now.getTime() - Date.parse(at) >= DAY_MS;
  return isDue ? null : FINDING_AREAS.filter((area) => !DAILY_AREAS.includes(area));
}

/** What was asked about long ago holds until it is asked about again. */
export function withDaily(said: Said, memory: MonitorMemory, asked: readonly FindingArea[] | null): Said {
  const { daily } = memory;
  if (asked === null || daily === undefined) return said;
  return {
    findings: [...said.findings.filter(({ area }) => !isDaily(area)), ...daily.findings],
    answered: new Set([...[...said.answered].filter((area) => !isDaily(area)), ...daily.answered]),
  };
}

/** What the next run knows of them. Without a time it asks again: the findings are others than the last time. */
export function afterDaily(memory: MonitorMemory, { findings, answered }: Said, now: Date): MonitorMemory {
  const found = findings.filter(({ area }) => isDaily(area));
  const isConfirmed = names(found) === names(memory.daily?.findings ?? []);
  return {
    ...memory,
    daily: {
      at: isConfirmed ? now.toISOString() : null,
      findings: found,
      answered: [...answered].filter(isDaily),
    },
  };
}

/** The next run asks them again, whatever they said. */
export function askedSoon(memory: MonitorMemory): MonitorMemory {
  return memory.daily === undefined ? memory : { ...memory, daily: { ...memory.daily, at: null } };
}

function isDaily(area: string): boolean {
  return (DAILY_AREAS as readonly string[]).includes(area);
}

function names(findings: readonly SeenFinding[]): string {
  return findings
    .map(({ code, subject, severity }) => `${code} ${subject} ${severity}`)
    .toSorted()
    .join('\n');
}
