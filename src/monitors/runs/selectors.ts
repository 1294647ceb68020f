import { DAY_MS } from '../../lib/durations.js';
import { COMMON_SELECTORS } from '../../engine/domain/dkim.js';
import type { DomainFacts } from '../../engine/domain/facts.js';
import type { MonitorMemory } from '../model/monitor.js';

/** Whose keys a run asks for. */
export interface AskedSelectors {
  readonly selectors: readonly string[];
  /** Whether those that mail services use are among them, or are asked for because none is known. */
  readonly searchesKeys: boolean;
}

/**
 * The selectors of a run: those that the owner named, or those that were found. Names that mail services use are tried once a day only,
 * because forty questions at every run would be rude.
 */
export function askedSelectors(given: readonly string[], memory: MonitorMemory, now: Date): AskedSelectors {
  if (given.length > 0) return { selectors: given, searchesKeys: false };
  const { selectors: found = [], selectorsAt } = memory;
  const searchesKeys = selectorsAt === undefined || now.getTime() - Date.parse(selectorsAt) >= DAY_MS;
  const all = searchesKeys && found.length > 0 ? [...new Set([...found, ...COMMON_SELECTORS])] : found;
  return { selectors: all, searchesKeys };
}

/**
 * What the next run knows of selectors. One that is gone is watched on until the search of the next day misses it too and finds others:
 * in between its owner was told.
 */
export function afterSearch(memory: MonitorMemory, { dkim, hasWildcard }: DomainFacts, now: Date): MonitorMemory {
  const found = dkim.keys.map(({ selector }) => selector);
  if (hasWildcard) return { ...memory, selectorsAt: now.toISOString() };
  const gone = (memory.selectors ?? []).filter((selector) => dkim.missing.includes(selector));
  const isOver = (selector: string) => found.length > 0 && (memory.goneSelectors ?? []).includes(selector);
  const kept = (memory.selectors ?? []).filter((one) => !found.includes(one) && !(gone.includes(one) && isOver(one)));
  return { ...memory, selectors: [...found, ...kept], goneSelectors: gone, selectorsAt: now.toISOString() };
}
