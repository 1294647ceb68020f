import type { MonitorMemory } from './monitor.js';
import type { MonitorArea, MonitorFacts, SeenFinding } from './monitor-run.js';
import { isChange } from './watched-set.js';
import type { ObservedStatus } from './advance.js';

/** A question that nobody has answered in any run for half an hour. */
export const SILENCE_CODE = 'dns_unanswered';

/** What one run has learned. */
export interface Observation {
  /** Whether all that decides was answered; without that nothing is called well. */
  readonly answered: boolean;
  /** Whether the DNS left a question open behind which what is watched may be worse than it looks. */
  readonly isOpen: boolean;
  /** Whether answers of our own resolver were not believed, so that something is unanswered. */
  readonly isUntrusted: boolean;
  /** For the price of a run that somebody asks for. */
  readonly outcome: 'answered' | 'unanswered' | 'not_found';
  /** Whether anything was answered. */
  readonly hasLearned: boolean;
  readonly facts: MonitorFacts;
  /** What is wrong, as far as it was answered. */
  readonly findings: readonly SeenFinding[];
  readonly watchedAreas: ReadonlySet<MonitorArea>;
  /** Areas of which everything was answered, but for what silence hides of single findings. */
  readonly answeredAreas: ReadonlySet<MonitorArea>;
  readonly hiddenCodes: ReadonlySet<string>;
  /** Who lists were asked about. */
  readonly targets: ReadonlySet<string>;
  /** Lists that may not be asked any more: nobody will ever say that what they had is over. */
  readonly closedLists: ReadonlySet<string>;
  /** Changes that were taken back, by `nameOf`; those that are no news any more are in no set. */
  readonly takenBack: ReadonlySet<string>;
  /** How soon to look again at what has begun to change; null: in its turn. */
  readonly againMs: number | null;
  readonly memory: MonitorMemory;
}

interface FindingKey {
  readonly code: string;
  readonly area: MonitorArea;
  readonly subject: string;
}

/** The block list that a listing is about, and who is on it. */
export function listingSubject(list: string, target: string): string {
  return `${list} ${target}`;
}

export function nameOf({ code, subject }: Pick<FindingKey, 'code' | 'subject'>): string {
  return `${code} ${subject}`;
}

/** What a look says of a finding that it has not seen. */
export function statusWhenAbsent({ code, area, subject }: FindingKey, look: Observation): ObservedStatus {
  if (!look.watchedAreas.has(area)) return 'unwatched';
  if (isChange(code)) return look.takenBack.has(nameOf({ code, subject })) ? 'clean' : 'unwatched';
  if (code === SILENCE_CODE) return look.answered && !look.facts.unanswered.includes(subject) ? 'clean' : 'unknown';
  if (area !== 'blacklists') return look.answeredAreas.has(area) && !look.hiddenCodes.has(code) ? 'clean' : 'unknown';
  const [list = '', target = ''] = subject.split(' ');
  if (look.closedLists.has(list)) return 'unwatched';
  if (look.facts.unanswered.includes(subject)) return 'unknown';
  const fact = look.facts.blacklists.find((one) => one.list === list && one.target === target);
  if (fact !== undefined) return fact.status === 'not_listed' ? 'clean' : 'unknown';
  // An address that neither the SPF record nor a mail host has any more is none of theirs any more.
  const isKnown = look.answeredAreas.has('spf') && look.answeredAreas.has('mx');
  const isGone = !look.targets.has(target) && (isKnown || look.targets.size === 1);
  return isGone ? 'unwatched' : 'unknown';
}
