import { DAILY_AREAS, FINDING_AREAS, type FindingArea } from '../../../engine/domain/finding.js';
import type { Monitor, MonitorMemory } from './monitor.js';
import { MONITOR_AREAS, type MonitorArea, type SeenFinding } from './monitor-run.js';
import { DAY_MS } from '../../../lib/durations.js';
import { COMMON_SELECTORS } from '../../../engine/domain/dkim.js';
import type { DomainFacts } from '../../../engine/domain/facts.js';
import { readTarget, type Target } from '../../../mail-dns/targets.js';

/** What a monitor looks at: of an address nothing but block lists. */
export function watchedAreas({ kind, settings }: Pick<Monitor, 'kind' | 'settings'>): ReadonlySet<MonitorArea> {
  return new Set(kind === 'address' ? ['blacklists'] : (settings.checks ?? MONITOR_AREAS));
}

export function domainAreas(watched: ReadonlySet<MonitorArea>): ReadonlySet<FindingArea> {
  return new Set(FINDING_AREAS.filter((area) => watched.has(area)));
}

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
export function areasToCheck(watched: Watched, isDailyRun: boolean): readonly FindingArea[] {
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
export function askAgainSoon(memory: MonitorMemory): MonitorMemory {
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

/** Whose keys a run asks for. */
interface SelectorScope {
  readonly selectors: readonly string[];
  /** Whether those that mail services use are among them, or are asked for because none is known. */
  readonly searchesKeys: boolean;
}

/**
 * The selectors of a run: those that the owner named, or those that were found. Names that mail services use are tried once a day only,
 * because forty questions at every run would be rude.
 */
export function selectorsToCheck(given: readonly string[], memory: MonitorMemory, now: Date): SelectorScope {
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

/** Addresses of one domain that lists are asked about, beside the domain. */
const MAX_ADDRESSES = 32;

interface ListTargets {
  /** The domain, and the addresses that send its mail; of an address itself. */
  readonly senders: readonly Target[];
  /** Addresses of mail hosts that send none of it, as far as its SPF record says. */
  readonly receivers: readonly Target[];
}

export const NO_TARGETS: ListTargets = { senders: [], receivers: [] };

/**
 * Who lists are asked about.
 * @param isOperators whether a mail host is a mail operator's: nobody else can do anything about it
 */
export function listTargets(
  { target, settings, simulated }: Pick<Monitor, 'target' | 'settings' | 'simulated'>,
  facts: DomainFacts | null,
  isOperators: (host: string) => boolean,
): ListTargets {
  const hosts = facts?.mx.hosts ?? [];
  const theirs = new Set(hosts.filter(({ host }) => isOperators(host)).flatMap(({ addresses }) => addresses));
  const read = (texts: readonly string[]) => {
    const targets = texts
      .filter((text) => !theirs.has(text) || settings.sendingAddresses.includes(text))
      .map((text) => readTarget(text, simulated))
      .filter((one) => typeof one !== 'string');
    return [...new Map(targets.map((one) => [one.value, one])).values()];
  };
  const senders = read([
    target,
    ...settings.sendingAddresses,
    ...(facts?.senders ?? []).map(({ address }) => address),
  ]).slice(0, MAX_ADDRESSES + 1);
  const known = new Set(senders.map(({ value }) => value));
  const receivers = read(hosts.flatMap(({ addresses }) => addresses)).filter(({ value }) => !known.has(value));
  return { senders, receivers: receivers.slice(0, MAX_ADDRESSES + 1 - senders.length) };
}
