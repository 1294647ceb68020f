import { hostname } from 'node:os';
import { relative } from 'node:path';
import type { EgressSource, WarmUpTable } from '../../engine/ports.js';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import type { Env } from '../../platform/config/env.js';
import { egressFilePath, readEgressFile } from './egress-file.js';

export type EgressVariables = Pick<Env, 'egressFile' | 'egress' | 'region' | 'heloName' | 'mailFrom'>;

/** The name of the only source where no file names any. */
export const DEFAULT_SOURCE = 'default';

/** The sources of the configuration, and those of them that this process uses. */
export interface EgressSources {
  /** All that the file names, also for other processes. */
  readonly all: readonly EgressSource[];
  /** One at least. */
  readonly own: readonly EgressSource[];
  /** Whose accounts this process works for, beside those without a region: `REGION`, else that of all its sources; null: there is none. */
  readonly region: string | null;
  /** How those that say since when they ask are warmed up; absent: there is no file. */
  readonly warmUp?: WarmUpTable | undefined;
}

/**
 * Reads the sources and picks those of this process: the ones that `EGRESS` names, else all of its region and those without one.
 * @param once names that the file had and may have no longer, though `EGRESS` has them
 * @throws ConfigurationError naming file and field, or the variable that picks none
 */
export function egressSources(env: EgressVariables, once: ReadonlySet<string> = new Set()): EgressSources {
  const path = egressFilePath(env.egressFile);
  const shown = env.egressFile ?? 'config/egress.json';
  const file = path === null ? null : readEgressFile(path, shown.startsWith('/') ? nearby(path) : shown);
  const all = file?.sources ?? [defaultSource(env)];
  const names = all.map(({ name }) => name);
  const stranger = env.egress.find((name) => !names.includes(name) && !once.has(name));
  if (stranger !== undefined)
    throw new ConfigurationError('EGRESS', stranger, `names of sources, here ${names.join(', ')}`);
  const own =
    env.egress.length > 0
      ? all.filter(({ name }) => env.egress.includes(name))
      : all.filter(({ region }) => region === null || env.region === null || region === env.region);
  if (own.length === 0 && env.egress.length > 0)
    throw new ConfigurationError('EGRESS', env.egress.join(), `names of sources, here ${names.join(', ')}`);
  if (own.length === 0)
    throw new ConfigurationError('REGION', env.region, `the region of a source, here ${regionsOf(all)}`);
  const stray = env.region !== null && own.find(({ region }) => region !== null && region !== env.region);
  if (stray) throw new ConfigurationError('EGRESS', stray.name, `sources of REGION=${env.region} or without a region`);
  return { all, own, region: env.region ?? commonRegion(own), ...(file !== null && { warmUp: file.warmUp }) };
}

function regionsOf(sources: readonly EgressSource[]): string {
  const regions = new Set(sources.flatMap(({ region }) => region ?? []));
  return [...regions].toSorted().join(', ');
}

/** Null: they have none, or several. */
function commonRegion(sources: readonly EgressSource[]): string | null {
  const [first, ...others] = new Set(sources.map(({ region }) => region));
  return others.length === 0 ? first! : null;
}

/** The files that the sources are read from. */
export function egressFiles({ egressFile }: EgressVariables, { all }: EgressSources): readonly string[] {
  const path = egressFilePath(egressFile);
  return path === null ? [] : [path, ...all.flatMap(({ socks5 }) => socks5?.passwordFile ?? [])];
}

function nearby(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

/** This machine's name and the null sender stand in for variables that are not set. */
function defaultSource({ heloName, mailFrom }: EgressVariables): EgressSource {
  return {
    name: DEFAULT_SOURCE,
    address: null,
    socks5: null,
    helo: heloName ?? hostname(),
    mailFrom: mailFrom ?? '',
    region: null,
    weight: 1,
    since: null,
    operators: null,
  };
}
