import { nameOf } from '../hysteresis/look.js';
import type { Pace } from '../hysteresis/pace.js';
import type { MonitorArea } from '../model/monitor-area.js';
import type { SeenFinding } from '../model/monitor-run.js';
import { kindOf } from './change-findings.js';
import { type SeenSet, type WatchedLook, type WatchedSet, watchSet } from './watched-set.js';

/** A selector that is asked for no more is forgotten; nobody has more than so many of all. */
const MAX_WATCHED = 60;

export interface ChangesLook {
  readonly changes: readonly WatchedSet[];
  readonly findings: readonly SeenFinding[];
  readonly takenBack: ReadonlySet<string>;
  readonly againMs: number | null;
  /** Whether a registry, which is asked once a day, has begun to say something else. */
  readonly asksRegistry: boolean;
}

export interface ChangesSeen {
  readonly sets: readonly SeenSet[];
  readonly areas: ReadonlySet<MonitorArea>;
  /** Selectors that were asked for; null: others are watched on. */
  readonly selectors: ReadonlySet<string> | null;
}

/** Takes a look at all that is watched for changes into account. */
export function watchChanges(
  before: readonly WatchedSet[],
  { sets, areas, selectors }: ChangesSeen,
  { now, pace }: { readonly now: Date; readonly pace: Pace },
): ChangesLook {
  const patience = { now, apartMs: pace.changeApartMs, newsMs: pace.changeNewsMs };
  const isWatched = ({ code, subject }: Pick<WatchedSet, 'code' | 'subject'>) =>
    areas.has(kindOf(code).area) && (code !== 'dkim_key_rotated' || selectors === null || selectors.has(subject));
  const known = new Map(before.filter(isWatched).map((one) => [nameOf(one), one]));
  const seen = new Map(sets.filter(isWatched).map((one) => [nameOf(one), one]));
  const looks = [...new Map<string, Pick<WatchedSet, 'code' | 'subject'>>([...known, ...seen])]
    .slice(0, MAX_WATCHED)
    .map(([name, { code, subject }]): WatchedLook => {
      const { values } = seen.get(name) ?? { values: null };
      return watchSet(known.get(name) ?? null, { code, subject, values }, patience);
    });
  const pending = looks.filter(({ watched }) => watched.known.others.length > 0 || watched.next !== null);
  return {
    changes: looks.map(({ watched }) => watched),
    findings: looks.flatMap(({ finding }) => finding ?? []),
    takenBack: new Set(looks.flatMap(({ watched, isTakenBack }) => (isTakenBack ? [nameOf(watched)] : []))),
    againMs: pending.length === 0 ? null : pace.changeAgainMs,
    asksRegistry: pending.some(({ watched: { code } }) => kindOf(code).asks === 'registry'),
  };
}
