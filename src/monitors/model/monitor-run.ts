import type { FoundRecord } from '../../domains/domain-result.js';
import type { DnsFix, FindingSeverity } from '../../engine/domain/finding.js';
import type { MonitorArea } from './monitor-area.js';

/** What a run can leave a monitor in. */
export const RUN_STATES = ['ok', 'warning', 'critical', 'unknown'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const RUN_CAUSES = ['schedule', 'request'] as const;
export type RunCause = (typeof RUN_CAUSES)[number];

/** What one block list said of one target. */
export interface ListFact {
  readonly list: string;
  readonly target: string;
  readonly status: string;
  readonly why: string | null;
}

/** What was published and listed, in an order of its own, so that the order of an answer is no change. */
export interface MonitorFacts {
  readonly records: readonly FoundRecord[];
  readonly spf_lookups: number | null;
  readonly dnssec: string | null;
  readonly blacklists: readonly ListFact[];
  /** Names that the DNS did not answer for, and block lists that did not, each with its target: what is known of them is from the run before. */
  readonly unanswered: readonly string[];
}

/** Something that is wrong, as a run saw it. */
export interface SeenFinding {
  readonly code: string;
  readonly area: MonitorArea;
  readonly severity: FindingSeverity;
  readonly subject: string;
  readonly explanation: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly fix: DnsFix | null;
  readonly rfc: string | null;
}

export interface RunResult {
  readonly facts: MonitorFacts;
  readonly findings: readonly SeenFinding[];
}

export interface MonitorRun {
  readonly id: number;
  readonly monitorId: number;
  readonly number: number;
  readonly cause: RunCause;
  readonly state: RunState;
  /** False: something that decides about its state was not answered. */
  readonly answered: boolean;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly factsHash: string;
  /** Facts or findings are others than those of the run before. */
  readonly changed: boolean;
  /** The run that holds what this one found: itself, or one before that found the same. */
  readonly resultOf: number;
  readonly opened: number;
  readonly resolved: number;
  readonly creditsCharged: number;
}

export interface RunWithResult extends MonitorRun {
  readonly result: RunResult;
}
