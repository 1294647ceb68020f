import type { FindingSeverity } from '../../engine/domain/finding.js';
import type { Monitor, MonitorSettings } from './monitor.js';
import type { FindingMemory, MonitorFinding } from './monitor-run.js';
import { isFlapping } from './advance.js';
import { type Pace, paceOf } from './timings.js';

/** What the owner is told of a finding. */
export type Word = 'opened' | 'worsened' | 'eased' | 'resolved' | 'flapping';

export interface Hearing {
  readonly now: Date;
  readonly pace: Pace;
  readonly alertFrom: FindingSeverity;
  /** Its block list is not believed yet: what it says waits. */
  readonly isHeld: boolean;
}

export interface Spoken {
  readonly finding: MonitorFinding;
  readonly word: Word;
}

export const BY_SEVERITY: readonly FindingSeverity[] = ['info', 'warning', 'critical'];

/** What is to be told, and what is known to be told afterwards. @param isHeld whether a block list is under suspicion */
export function tellFindings(
  { simulated, settings, memory }: Monitor,
  findings: readonly MonitorFinding[],
  { now, isHeld }: { readonly now: Date; readonly isHeld: (list: string) => boolean },
): { readonly findings: readonly MonitorFinding[]; readonly spoken: readonly Spoken[] } {
  const pace = paceOf(simulated);
  const isSilent = memory.learned !== true && !settings.notifyFirst;
  const spoken: Spoken[] = [];
  const after = findings.map((finding) => {
    if (isSilent) return finding.state === 'open' && finding.told === null ? asTold(finding, null) : finding;
    // A listing that does no harm is never an alert.
    const alertFrom = finding.list !== null && settings.alertFrom === 'info' ? 'warning' : settings.alertFrom;
    const mutedUntil = mutedBoth(finding, settings);
    const word = wordOf(
      { ...finding, mutedUntil },
      { now, pace, alertFrom, isHeld: finding.list !== null && isHeld(finding.list) },
    );
    if (word === null) return finding;
    const told = asTold(finding, now);
    spoken.push({ finding: told, word });
    return told;
  });
  return { findings: after, spoken };
}

/**
 * What is to be told of a finding now; null: nothing. What becomes worse, and what is over, is told at once; what becomes milder, and what
 * opens again, when the last word about it is `quietMs` old. Whoever has heard of a finding hears its end, however mild it was by then. What cannot be told now, because the owner has muted it or its list is not believed yet, is told later if it is
 * still so.
 */
export function wordOf(finding: FindingMemory & { readonly mutedUntil: Date | null }, hearing: Hearing): Word | null {
  const { now, pace, alertFrom, isHeld } = hearing;
  const { state, severity, told, toldSeverity, toldAt, mutedUntil } = finding;
  const isLoud = rank(severity) >= rank(alertFrom);
  const isHeard = told === 'open' && (toldAt !== null || rank(toldSeverity ?? severity) >= rank(alertFrom));
  // That it is over is told whatever is thought of the list: who was told of the listing waits for it.
  if ((isHeld && state !== 'resolved') || !(isLoud || isHeard) || (mutedUntil !== null && mutedUntil > now))
    return null;
  const flapping = isFlapping(finding, now, pace);
  const sinceToldMs = toldAt === null ? Infinity : now.getTime() - toldAt.getTime();
  if (flapping && sinceToldMs < pace.flappingQuietMs) return null;
  if (state === 'resolved') return isHeard ? 'resolved' : null;
  if (state === 'suspected') return null;
  const isQuiet = sinceToldMs >= pace.quietMs;
  if (isHeard && toldSeverity !== null && rank(severity) < rank(toldSeverity)) return isQuiet ? 'eased' : null;
  if (!isLoud) return null;
  if (told !== 'open') return isQuiet ? 'opened' : null;
  if (toldSeverity !== null && rank(severity) > rank(toldSeverity)) return 'worsened';
  return flapping ? 'flapping' : null;
}

/** @param at null: nobody was told, and nobody is to be */
export function asTold<T extends FindingMemory>(finding: T, at: Date | null): T {
  const told = finding.state === 'resolved' ? 'resolved' : 'open';
  return { ...finding, told, toldSeverity: finding.severity, toldAt: at };
}

/** Until when a finding is muted, by itself or with all that its block list says; null: it is not. */
function mutedBoth({ list, mutedUntil }: MonitorFinding, { mutedLists = {} }: MonitorSettings): Date | null {
  const until = list !== null && Object.hasOwn(mutedLists, list) ? new Date(mutedLists[list]!.until) : null;
  return until !== null && (mutedUntil === null || until > mutedUntil) ? until : mutedUntil;
}

function rank(severity: FindingSeverity): number {
  return BY_SEVERITY.indexOf(severity);
}
