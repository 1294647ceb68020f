import type { FindingSeverity } from '../../engine/domain/finding.js';
import type { SeenFinding } from './monitor-run.js';

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
  readonly told: 'open' | 'resolved' | null;
  readonly toldSeverity: FindingSeverity | null;
  /** When the owner was told last; null: never, or silently by the first run. */
  readonly toldAt: Date | null;
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
