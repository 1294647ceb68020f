import { DAY_MS } from '../../lib/durations.js';
import { DAILY_AREAS, FINDING_AREAS, type FindingArea } from '../../engine/domain/finding.js';
import type { MonitorMemory } from '../model/monitor.js';
import type { MonitorArea } from '../model/monitor-area.js';
import type { SeenFinding } from '../model/monitor-run.js';

/** What a run says of areas. */
interface Said {
  readonly findings: readonly SeenFinding[];
  readonly answered: ReadonlySet<FindingArea>;
}

type Watched = ReadonlySet<MonitorArea>;

/**
 * Whether a run asks mail hosts, registries and web servers: once a day, once more when what they say has changed, so that it is confirmed
 * as soon as anything else, and at once when more of them are watched.
 */
export function isDailyDue({ daily }: MonitorMemory, watched: Watched, now: Date): boolean {
  if (daily === undefined || daily.at === null || now.getTime() - Date.parse(daily.at) >= DAY_MS) return true;
  const { asked = DAILY_AREAS } = daily;
  return dailyAreas(watched).some((area) => !asked.includes(area));
}

/** The areas that a run asks about. Of those that are asked once a day nobody is asked about what is not watched. */
export function askedAreas(watched: Watched, isDailyRun: boolean): readonly FindingArea[] {
  return FINDING_AREAS.filter((area) => !isDaily(area) || (isDailyRun && watched.has(area)));
}

/** What was asked about long ago holds until it is asked about again. */
export function withDaily(said: Said, { daily }: MonitorMemory): Said {
  if (daily === undefined) return said;
  return {
    findings: [...said.findings.filter(({ area }) => !isDaily(area)), ...daily.findings],
    answered: new Set([...[...said.answered].filter((area) => !isDaily(area)), ...daily.answered]),
  };
}

/** What the next run knows of them. Without a time it asks again: the findings are others than the last time. */
export function afterDaily(
  memory: MonitorMemory,
  { findings, answered }: Said,
  watched: Watched,
  now: Date,
): MonitorMemory {
  const found = findings.filter(({ area }) => isDaily(area));
  const isConfirmed = names(found) === names(memory.daily?.findings ?? []);
  return {
    ...memory,
    daily: {
      at: isConfirmed ? now.toISOString() : null,
      findings: found,
      answered: [...answered].filter(isDaily),
      asked: dailyAreas(watched),
    },
  };
}

/** The next run asks them again, whatever they said. */
export function askedSoon(memory: MonitorMemory): MonitorMemory {
  return memory.daily === undefined ? memory : { ...memory, daily: { ...memory.daily, at: null } };
}

function dailyAreas(watched: Watched): readonly FindingArea[] {
  return DAILY_AREAS.filter((area) => watched.has(area));
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
