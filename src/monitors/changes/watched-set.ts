import type { SeenFinding } from '../model/monitor-run.js';
import { changeFinding, type ChangeCode, kindOf, LOOKS } from './change-findings.js';
import { type Change, type KnownSet, lookedAt, NOTHING_KNOWN, type SetPatience } from './known-set.js';

/** A change that was seen often enough. */
export interface News extends Change {
  readonly at: string;
}

/** Records that are watched for changes, with the change that is news. */
export interface WatchedSet {
  readonly code: ChangeCode;
  readonly subject: string;
  readonly known: KnownSet;
  /** Null: none, or it is old. */
  readonly news: News | null;
  /** One that came while another was news: the next look tells of it, as of a finding that comes again. */
  readonly next: News | null;
}

/** What a look saw of one of them. */
export interface SeenSet {
  readonly code: ChangeCode;
  readonly subject: string;
  /** Null: nobody has answered. */
  readonly values: readonly string[] | null;
}

export interface WatchPatience extends Omit<SetPatience, 'looks'> {
  readonly newsMs: number;
}

export interface WatchedLook {
  readonly watched: WatchedSet;
  readonly finding: SeenFinding | null;
  /** Everything is as it was before the change. */
  readonly isTakenBack: boolean;
}

/** @param before null: nobody has looked */
export function watchSet(
  before: WatchedSet | null,
  { code, subject, values }: SeenSet,
  patience: WatchPatience,
): WatchedLook {
  const { now, newsMs } = patience;
  const last = before?.known ?? NOTHING_KNOWN;
  const kept = before?.next ?? before?.news ?? null;
  const news = kept !== null && now.getTime() - Date.parse(kept.at) < newsMs ? kept : null;
  if (values === null) return told({ code, subject, known: last, news, next: null });
  const kind = kindOf(code);
  const { known, change } = lookedAt(last, values, { ...patience, looks: LOOKS[kind.asks] });
  if (change === null) return told({ code, subject, known, news, next: null });
  if (news !== null && String(change.after) === String(news.before))
    return { watched: { code, subject, known, news: null, next: null }, finding: null, isTakenBack: true };
  const latest = (kind.isNews?.(change) ?? true) ? { ...change, at: now.toISOString() } : null;
  if (news !== null && latest !== null)
    return { watched: { code, subject, known, news: null, next: latest }, finding: null, isTakenBack: false };
  return told({ code, subject, known, news: latest ?? news, next: null });
}

function told(watched: WatchedSet): WatchedLook {
  const { code, subject, news } = watched;
  const finding = news === null ? null : changeFinding(code, subject, news, news.at);
  return { watched, finding, isTakenBack: false };
}
