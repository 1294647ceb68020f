import type { FindingSeverity } from '../../engine/domain/finding.js';
import type { FindingMemory } from './monitor-run.js';
import type { Pace } from './timings.js';

/**
 * What a run says of a finding. `unknown`: nobody answered. `unwatched`: it is asked no more, because its subject or its area has left
 * the settings or the records.
 */
export type Sight = FindingSeverity | 'clean' | 'unknown' | 'unwatched';

export interface Circumstances {
  readonly now: Date;
  readonly pace: Pace;
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
  sight: Sight,
  circumstances: Circumstances,
): FindingMemory | null {
  if (sight === 'unknown') return before;
  if (sight === 'clean') return before && afterClean(before, circumstances);
  if (sight === 'unwatched') return before && unwatched(before, circumstances.now);
  return before === null ? begun(sight, circumstances) : afterSeen(before, sight, circumstances);
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
    told: null,
    toldSeverity: null,
    toldAt: null,
  };
}

function afterSeen(before: FindingMemory, severity: FindingSeverity, circumstances: Circumstances): FindingMemory {
  const { now, pace, isCertain, isFirstRun } = circumstances;
  const seen = { ...before, severity, lastSeenAt: now, cleanSince: null, cleanRuns: 0, seenRuns: before.seenRuns + 1 };
  const opened = { ...seen, state: 'open', confirmedAt: now, resolvedAt: null } as const;
  switch (before.state) {
    case 'suspected':
      return isCertain || since(before.firstSeenAt, now) >= pace.apartMs ? opened : seen;
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
  const { now, pace, isListing, isCertain } = circumstances;
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
      const isOver = apart >= (isListing ? pace.listApartMs : pace.apartMs);
      return isOver ? { ...clean, state: 'resolved', resolvedAt: now } : clean;
    }
    case 'resolved':
      return before;
  }
}

/** Nobody says that it is mended: it ends without a word. */
function unwatched(before: FindingMemory, now: Date): FindingMemory | null {
  if (before.state === 'suspected' && before.resolvedAt === null) return null;
  const { resolvedAt } = before;
  const told = before.told === null ? null : 'resolved';
  return { ...before, state: 'resolved', resolvedAt: before.state === 'resolved' ? resolvedAt : now, told };
}

function flipped({ flips }: FindingMemory, { now, pace }: Circumstances): readonly Date[] {
  return [...flips.filter((at) => since(at, now) < pace.flapWindowMs), now].slice(-MAX_FLIPS);
}

/** Whether it comes and goes. */
export function isFlapping({ flips }: Pick<FindingMemory, 'flips'>, now: Date, pace: Pace): boolean {
  return flips.filter((at) => since(at, now) < pace.flapWindowMs).length >= FLAPS;
}

/** How soon a run should look again for what this one has seen or missed for the first time; null: in its turn. */
export function againMs(after: FindingMemory | null, sight: Sight, { pace, isListing }: Circumstances): number | null {
  if (after === null || sight === 'unknown') return null;
  if (after.state === 'suspected') return pace.againMs;
  if (after.state !== 'clearing') return null;
  return isListing ? pace.listApartMs : pace.againMs;
}

function since(from: Date, now: Date): number {
  return now.getTime() - from.getTime();
}
