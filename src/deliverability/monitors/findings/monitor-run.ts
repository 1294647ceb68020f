import { type DnsFix, FINDING_AREAS, type FindingArea, type FindingSeverity } from '../../../engine/domain/finding.js';
import type { FoundRecordReply } from '../../domains/finding.reply.js';

/** What is looked at: areas of a domain's records, and block lists. */
export const MONITOR_AREAS = [...FINDING_AREAS, 'blacklists'] as const;
export type MonitorArea = FindingArea | 'blacklists';

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
  readonly records: readonly FoundRecordReply[];
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
  /** Answers of our own resolver were not believed, so that something is unanswered. */
  readonly untrusted: boolean;
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

export const FINDING_STATES = ['suspected', 'open', 'clearing', 'resolved'] as const;
export type FindingState = (typeof FINDING_STATES)[number];

/** What the hysteresis knows of a finding. */
export interface FindingMemory {
  readonly state: FindingState;
  readonly severity: FindingSeverity;
  readonly firstSeenAt: Date;
  /** When it was opened last; null: never. */
  readonly confirmedAt: Date | null;
  readonly lastSeenAt: Date;
  /** The first of the clean runs in a row; null: it was seen last. */
  readonly cleanSince: Date | null;
  readonly resolvedAt: Date | null;
  readonly seenRuns: number;
  readonly cleanRuns: number;
  /** When it came or went lately. */
  readonly flips: readonly Date[];
  /** What the owner knows of it; null: nothing. */
  readonly notifiedState: 'open' | 'resolved' | null;
  readonly notifiedSeverity: FindingSeverity | null;
  /** When the owner was told last; null: never, or silently by the first run. */
  readonly notifiedAt: Date | null;
}

/** Something that is, or was, wrong with what a monitor looks at. */
export interface MonitorFinding extends FindingMemory, SeenFinding {
  readonly id: number;
  readonly monitorId: number;
  /** The same from the first look that sees it until its owner knows that it is over; null: nobody numbered incidents then. */
  readonly incidentId: number | null;
  /** The block list that has the subject. */
  readonly list: string | null;
  /** When it turned listed under our eyes; null: it was so in the first run, or is no listing. */
  readonly turnedAt: Date | null;
  readonly mutedUntil: Date | null;
  readonly note: string | null;
}

/** What a timeline tells. */
export const MONITOR_EVENT_TYPES = [
  'monitor.created',
  'monitor.edited',
  'monitor.paused',
  'monitor.resumed',
  'monitor.state',
  'monitor.stalled',
  'finding.suspected',
  'finding.opened',
  'finding.worsened',
  'finding.eased',
  'finding.resolved',
  'finding.flapping',
  'finding.muted',
  'finding.unmuted',
  'finding.noted',
  'list.muted',
  'list.unmuted',
  'list.noted',
  'facts.changed',
] as const;
export type MonitorEventType = (typeof MONITOR_EVENT_TYPES)[number];

export interface MonitorEvent {
  readonly id: number;
  readonly at: Date;
  readonly type: MonitorEventType;
  readonly runId: number | null;
  readonly findingId: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}
