import { FINDING_AREAS, SEVERITIES } from '../../../engine/domain/finding.js';
import { type Checked, matching, object, oneOf, orNull, text } from '../../../lib/checked-json.js';
import { readRowsOf } from '../../../platform/config/config-file.js';
import type { SeenFinding } from './monitor-run.js';

/** What a domain publishes otherwise than before, by codes that are stable. Somebody has changed it: that is news, and may be right. */
const CHANGE_CODES = [
  'mx_changed',
  'spf_changed',
  'dkim_key_rotated',
  'sts_id_unchanged',
  'name_servers_changed',
  'registrar_changed',
  'registration_lock_gone',
] as const;
export type ChangeCode = (typeof CHANGE_CODES)[number];

/** So many looks in a row must have seen a change. A registry says the same to everybody, the DNS may not. */
const RUNS = { dns: 3, registry: 2 } as const;
export const LOCK = 'client transfer prohibited';

/** A row of `config/domain-changes.json`. */
const KIND = {
  area: oneOf(...FINDING_AREAS),
  severity: oneOf(...SEVERITIES),
  rfc: orNull(text),
  asks: oneOf('dns', 'registry'),
  /** `{subject}` stands for the domain or the selector. */
  sentence: matching(/\{subject\}/, 'a sentence with {subject}'),
};
const KINDS = readRowsOf('domain-changes.json', CHANGE_CODES, object(KIND));

/** Changes that anybody has to know of only when they are such; all others are news. */
const NEWS: Readonly<Partial<Record<ChangeCode, (change: Change) => boolean>>> = {
  // `id digest`, one of each before and after: the policy is another one, and its id the same.
  sts_id_unchanged: ({ before, after }) =>
    before.length === 1 && after.length === 1 && before[0]!.split(' ')[0] === after[0]!.split(' ')[0],
  registration_lock_gone: ({ before, after }) => before.includes(LOCK) && !after.includes(LOCK),
};

export function isChange(code: string): code is ChangeCode {
  return Object.hasOwn(KINDS, code);
}

export function kindOf(code: ChangeCode): Checked<typeof KIND> {
  return KINDS[code];
}

/** @param at since when it is so, as far as anybody has looked */
function changeFinding(code: ChangeCode, subject: string, { before, after }: Change, at: string): SeenFinding {
  const { area, severity, rfc, sentence } = kindOf(code);
  const explanation = sentence.replace('{subject}', () => subject);
  const evidence = { before, after, changed_at: at };
  return { code, area, severity, subject, explanation, evidence, fix: null, rfc };
}

/** A change that was seen often enough. */
interface News extends Change {
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

interface WatchPatience extends Omit<SetPatience, 'looks'> {
  readonly newsMs: number;
}

export interface WatchedObservation {
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
): WatchedObservation {
  const { now, newsMs } = patience;
  const last = before?.known ?? NOTHING_KNOWN;
  const kept = before?.next ?? before?.news ?? null;
  const news = kept !== null && now.getTime() - Date.parse(kept.at) < newsMs ? kept : null;
  if (values === null) return watchedAs({ code, subject, known: last, news, next: null });
  const { known, change } = observed(last, values, { ...patience, looks: RUNS[kindOf(code).asks] });
  if (change === null) return watchedAs({ code, subject, known, news, next: null });
  if (news !== null && String(change.after) === String(news.before))
    return { watched: { code, subject, known, news: null, next: null }, finding: null, isTakenBack: true };
  const latest = (NEWS[code]?.(change) ?? true) ? { ...change, at: now.toISOString() } : null;
  if (news !== null && latest !== null)
    return { watched: { code, subject, known, news: null, next: latest }, finding: null, isTakenBack: false };
  return watchedAs({ code, subject, known, news: latest ?? news, next: null });
}

function watchedAs(watched: WatchedSet): WatchedObservation {
  const { code, subject, news } = watched;
  const finding = news === null ? null : changeFinding(code, subject, news, news.at);
  return { watched, finding, isTakenBack: false };
}

/** What is known of records that are compared as sets: their order is no change. */
interface KnownSet {
  /** Each with how many looks ago it was seen last. */
  readonly values: readonly (readonly [value: string, unseenLooks: number])[];
  /** How many looks it was learned from, as long as it is not learned. */
  readonly looks: number;
  /** Answers hold some of the values at a time, as those of a round robin do. */
  readonly rotates: boolean;
  /** What the last looks saw, as long as it was something else each time. */
  readonly others: readonly { readonly at: string; readonly values: readonly string[] }[];
}

interface Change {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface SetPatience {
  readonly now: Date;
  /** So many looks in a row must see something else than what is known. */
  readonly looks: number;
  /** They lie so far apart at least. */
  readonly confirmAfterMs: number;
}

/** Nobody has looked. */
const NOTHING_KNOWN: KnownSet = { values: [], looks: 0, rotates: false, others: [] };

/** A value that rotates is forgotten when it was not seen in so many looks. */
const FORGOTTEN_AFTER_RUNS = 12;
const MAX_VALUES = 60;

/**
 * Takes a look into account. What comes back before it was something else so many times is a rotation, and from then on known as one: of
 * a rotation only values that are new are a change.
 */
function observed(
  before: KnownSet,
  seen: readonly string[],
  { now, looks, confirmAfterMs }: SetPatience,
): { readonly known: KnownSet; readonly change: Change | null } {
  const values = [...new Set(seen)].toSorted().slice(0, MAX_VALUES);
  if (before.looks < looks) return { known: learned(before, values), change: null };
  const names = before.values.map(([value]) => value);
  if (isAsKnown(before, names, values)) return { known: confirmed(before, values), change: null };
  const last = before.others.at(-1);
  if (last !== undefined && now.getTime() - Date.parse(last.at) < confirmAfterMs)
    return { known: before, change: null };
  const others = [...before.others, { at: now.toISOString(), values }];
  if (others.length < looks) return { known: { ...before, others }, change: null };
  const after = union(others.map((other) => other.values));
  const rotates = others.some((other) => !isSame(other.values, values));
  const known = { values: after.map((value) => [value, 0] as const), looks, rotates, others: [] };
  return { known, change: { before: names, after } };
}

function learned(before: KnownSet, values: readonly string[]): KnownSet {
  const names = before.values.map(([value]) => value);
  return {
    values: union([names, values]).map((value) => [value, 0]),
    looks: before.looks + 1,
    rotates: before.rotates || (before.looks > 0 && !isSame(names, values)),
    others: [],
  };
}

function isAsKnown({ rotates }: KnownSet, names: readonly string[], values: readonly string[]): boolean {
  if (isSame(names, values)) return true;
  return rotates && values.length > 0 && values.every((value) => names.includes(value));
}

function confirmed(before: KnownSet, values: readonly string[]): KnownSet {
  const { others, looks } = before;
  const isBack = others.length > 0;
  const unseen = new Map([
    ...others.flatMap((other) => other.values.map((value) => [value, 0] as const)),
    ...before.values,
  ]);
  const counted = [...unseen].map(([value, times]) => [value, values.includes(value) ? 0 : times + 1] as const);
  const kept = counted.filter(([, times]) => times < FORGOTTEN_AFTER_RUNS).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const hasForgotten = kept.length < counted.length;
  const isWhole = kept.length === values.length;
  const rotates = (before.rotates || isBack) && !(hasForgotten && isWhole);
  return { values: kept.slice(0, MAX_VALUES), looks, rotates, others: [] };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

function union(sets: readonly (readonly string[])[]): string[] {
  return [...new Set(sets.flat())].toSorted().slice(0, MAX_VALUES);
}
