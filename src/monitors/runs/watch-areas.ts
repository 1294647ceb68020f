import { FINDING_AREAS, type FindingArea } from '../../engine/domain/finding.js';
import type { Monitor } from '../model/monitor.js';
import { MONITOR_AREAS, type MonitorArea } from '../model/monitor-area.js';

/** What a monitor looks at: of an address nothing but block lists. */
export function watchedAreas({ kind, settings }: Pick<Monitor, 'kind' | 'settings'>): ReadonlySet<MonitorArea> {
  return new Set(kind === 'address' ? ['blacklists'] : (settings.checks ?? MONITOR_AREAS));
}

export function domainAreas(watched: ReadonlySet<MonitorArea>): ReadonlySet<FindingArea> {
  return new Set(FINDING_AREAS.filter((area) => watched.has(area)));
}
