import type { PublishedDmarc } from '../../../engine/domain/facts.js';
import type { FindingArea, FindingSeverity } from '../../../engine/domain/finding.js';
import type { Owner } from '../../../keys/access/owner.js';
import type { WatchedSet } from './watched-set.js';
import type { Presence } from './presence.js';
import { type MonitorArea, RUN_STATES, type RunState, type SeenFinding } from './monitor-run.js';

export const MONITOR_KINDS = ['domain', 'address'] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** A monitor has no state of a run before its first one. */
export type HealthState = RunState | 'pending';

export const MONITOR_STATES = ['pending', ...RUN_STATES, 'paused'] as const;
export type MonitorState = (typeof MONITOR_STATES)[number];

/** Who keeps a monitor from running. `plan`: the account's plan has room for fewer; `operator`: an administrator. */
export const PAUSES = ['owner', 'plan', 'suspended', 'operator'] as const;
export type Pause = (typeof PAUSES)[number];

export const ALERT_FROM = ['info', 'warning', 'critical'] as const satisfies readonly FindingSeverity[];

/** What the owner has chosen. */
export interface MonitorSettings {
  /** Only these; null: all. */
  readonly checks: readonly MonitorArea[] | null;
  readonly dkimSelectors: readonly string[];
  readonly sendingAddresses: readonly string[];
  /** Findings below it are shown and never told. */
  readonly alertFrom: FindingSeverity;
  /** Whether what the first run finds is told. */
  readonly notifyFirst: boolean;
  /** Block lists of which nothing is told until then. */
  readonly mutedLists?: Readonly<Record<string, MutedList>>;
}

export interface MutedList {
  readonly until: string;
  readonly note: string | null;
  /** When, and by which key, it was muted; those that were muted before this was written down do not have it. */
  readonly since?: string | undefined;
  readonly keyId?: string | undefined;
}

/** A question that no run has had an answer to since. */
export interface KnownSilence {
  readonly area: FindingArea;
  readonly name: string;
  readonly since: string;
}

/** What one run leaves for the next. */
export interface MonitorMemory {
  /** Selectors that were found without being named, and when they were looked for last. */
  readonly selectors?: readonly string[];
  readonly selectorsAt?: string;
  /** Those of them that the last search has missed. */
  readonly goneSelectors?: readonly string[];
  /** What the last look at mail hosts, registries and web servers said; without a time they are asked again. */
  readonly daily?: {
    readonly at: string | null;
    readonly findings: readonly SeenFinding[];
    readonly answered: readonly FindingArea[];
    /** The areas that were watched then; those of a memory without them were all. */
    readonly asked?: readonly FindingArea[];
  };
  /** What is published as long as anybody has looked, so that it is seen when it changes. */
  readonly changes?: readonly WatchedSet[];
  /** Whether records were there at the last looks, so that one that comes and goes is seen. */
  readonly presence?: Presence;
  /** The DMARC record that was seen last. */
  readonly dmarc?: PublishedDmarc;
  /** Questions about the domain that the runs of late have had no answer to. */
  readonly silences?: readonly KnownSilence[];
  /** Whether a run has learned anything of what is watched now: what it found is told nobody. */
  readonly learned?: boolean;
}

/** A domain or an address that is looked at again and again. */
export interface Monitor extends Owner {
  readonly id: number;
  readonly kind: MonitorKind;
  /** A domain in A-labels, or an address in its short form. */
  readonly target: string;
  readonly name: string | null;
  readonly settings: MonitorSettings;
  readonly intervalMinutes: number;
  /** As the last run left it. */
  readonly state: HealthState;
  readonly paused: Pause | null;
  /** The words of the administrator who has paused it. */
  readonly pausedWhy: string | null;
  readonly createdAt: Date;
  readonly nextRunAt: Date;
  /** How many runs have ended. */
  readonly runs: number;
  readonly lastRunId: number | null;
  readonly lastRunAt: Date | null;
  readonly unansweredSince: Date | null;
  readonly stalledAt: Date | null;
  readonly memory: MonitorMemory;
}

/** What is shown of it. */
export function shownState({ state, paused }: Pick<Monitor, 'state' | 'paused'>): MonitorState {
  return paused === null ? state : 'paused';
}
