import type { FindingSeverity } from '../../../engine/domain/finding.js';
import type { FindingMemory } from './monitor-run.js';
import type { Timings } from './timings.js';

/**
 * What a run says of a finding. `unknown`: nobody answered. `unwatched`: it is asked no more, because its subject or its area has left
 * the settings or the records.
 */
export type ObservedStatus = FindingSeverity | 'clean' | 'unknown' | 'unwatched';

export interface Circumstances {
  readonly now: Date;
  readonly timings: Timings;
  /** It is opened at once and told nobody: it is the answer to the creation of the monitor. */
  readonly isFirstRun: boolean;
  readonly isListing: boolean;
  /** A date says it, which needs no second look. */
  readonly isCertain: boolean;
}

/** So many comings and goings within the window are flapping. */
const FLAPS = 4;
const MAX_FLIPS = 8;

/**
 * What is known of a finding after a run: `suspected`, seen once; `open`, seen twice; `clearing`, not seen once; `resolved`, not seen
 * twice. No answer moves nothing.
 * @param before null: nothing is known of it
 * @returns null: it was suspected and was none
 */
export function advance(
  before: FindingMemory | null,
  observed: ObservedStatus,
  circumstances: Circumstances,
): FindingMemory | null {
  if (observed === 'unknown') return before;
  if (observed === 'clean') return before && afterClean(before, circumstances);
  if (observed === 'unwatched') return before && unwatched(before, circumstances.now);
  return before === null ? begun(observed, circumstances) : afterSeen(before, observed, circumstances);
}

function begun(severity: FindingSeverity, circumstances: Circumstances): FindingMemory {
  const { now, isFirstRun, isCertain } = circumstances;
  const isOpen = isFirstRun || isCertain;
  return {
    state: isOpen ? 'open' : 'suspected',
    severity,
    firstSeenAt: now,
    confirmedAt: isOpen ? now : null,
    lastSeenAt: now,
    cleanSince: null,
    resolvedAt: null,
    seenRuns: 1,
    cleanRuns: 0,
    flips: [],
    notifiedState: null,
    notifiedSeverity: null,
    notifiedAt: null,
  };
}

function afterSeen(before: FindingMemory, severity: FindingSeverity, circumstances: Circumstances): FindingMemory {
  const { now, timings, isCertain, isFirstRun } = circumstances;
  const seen = { ...before, severity, lastSeenAt: now, cleanSince: null, cleanRuns: 0, seenRuns: before.seenRuns + 1 };
  const opened = { ...seen, state: 'open', confirmedAt: now, resolvedAt: null } as const;
  switch (before.state) {
    case 'suspected':
      return isCertain || since(before.firstSeenAt, now) >= timings.confirmAfterMs ? opened : seen;
    case 'open':
      return seen;
    case 'clearing':
      return { ...seen, state: 'open', flips: flipped(before, circumstances) };
    case 'resolved': {
      const again = { flips: flipped(before, circumstances), firstSeenAt: now, seenRuns: 1 };
      return isCertain || isFirstRun ? { ...opened, ...again } : { ...seen, ...again, state: 'suspected' };
    }
  }
}

function afterClean(before: FindingMemory, circumstances: Circumstances): FindingMemory | null {
  const { now, timings, isListing, isCertain } = circumstances;
  switch (before.state) {
    case 'suspected':
      // It may have been there before: then it is as resolved as it was.
      return before.resolvedAt === null ? null : { ...before, state: 'resolved' };
    case 'open': {
      const clean = { ...before, cleanSince: now, cleanRuns: 1, flips: flipped(before, circumstances) };
      return isCertain ? { ...clean, state: 'resolved', resolvedAt: now } : { ...clean, state: 'clearing' };
    }
    case 'clearing': {
      const clean = { ...before, cleanRuns: before.cleanRuns + 1 };
      const apart = since(before.cleanSince ?? now, now);
      const isOver = apart >= (isListing ? timings.listConfirmAfterMs : timings.confirmAfterMs);
      return isOver ? { ...clean, state: 'resolved', resolvedAt: now } : clean;
    }
    case 'resolved':
      return before;
  }
}

/** Nobody says that it is mended: it is closed silently. */
function unwatched(before: FindingMemory, now: Date): FindingMemory | null {
  if (before.state === 'suspected' && before.resolvedAt === null) return null;
  const { resolvedAt } = before;
  const notifiedState = before.notifiedState === null ? null : 'resolved';
  return { ...before, state: 'resolved', resolvedAt: before.state === 'resolved' ? resolvedAt : now, notifiedState };
}

function flipped({ flips }: FindingMemory, { now, timings }: Circumstances): readonly Date[] {
  return [...flips.filter((at) => since(at, now) < timings.flapWindowMs), now].slice(-MAX_FLIPS);
}

/** Whether it comes and goes. */
export function isFlapping({ flips }: Pick<FindingMemory, 'flips'>, now: Date, timings: Timings): boolean {
  return flips.filter((at) => since(at, now) < timings.flapWindowMs).length >= FLAPS;
}

/** How soon a run should look again for what this one has seen or missed for the first time; null: in its turn. */
export function againMs(
  after: FindingMemory | null,
  observed: ObservedStatus,
  { timings, isListing }: Circumstances,
): number | null {
  if (after === null || observed === 'unknown') return null;
  if (after.state === 'suspected') return timings.againMs;
  if (after.state !== 'clearing') return null;
  return isListing ? timings.listConfirmAfterMs : timings.againMs;
}

function since(from: Date, now: Date): number {
  return now.getTime() - from.getTime();
}
