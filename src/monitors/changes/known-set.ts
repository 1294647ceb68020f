/** What is known of records that are compared as sets: their order is no change. */
export interface KnownSet {
  /** Each with how many looks ago it was seen last. */
  readonly values: readonly (readonly [value: string, unseenLooks: number])[];
  /** How many looks it was learned from, as long as it is not learned. */
  readonly looks: number;
  /** Answers hold some of the values at a time, as those of a round robin do. */
  readonly rotates: boolean;
  /** What the last looks saw, as long as it was something else each time. */
  readonly others: readonly { readonly at: string; readonly values: readonly string[] }[];
}

export interface Change {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface SetPatience {
  readonly now: Date;
  /** So many looks in a row must see something else than what is known. */
  readonly looks: number;
  /** They lie so far apart at least. */
  readonly apartMs: number;
}

/** Nobody has looked. */
export const NOTHING_KNOWN: KnownSet = { values: [], looks: 0, rotates: false, others: [] };

/** A value that rotates is forgotten when it was not seen in so many looks. */
const FORGOTTEN_LOOKS = 12;
const MAX_VALUES = 60;

/**
 * Takes a look into account. What comes back before it was something else so many times is a rotation, and from then on known as one: of
 * a rotation only values that are new are a change.
 */
export function lookedAt(
  before: KnownSet,
  seen: readonly string[],
  { now, looks, apartMs }: SetPatience,
): { readonly known: KnownSet; readonly change: Change | null } {
  const values = [...new Set(seen)].toSorted().slice(0, MAX_VALUES);
  if (before.looks < looks) return { known: learned(before, values), change: null };
  const names = before.values.map(([value]) => value);
  if (isAsKnown(before, names, values)) return { known: confirmed(before, values), change: null };
  const last = before.others.at(-1);
  if (last !== undefined && now.getTime() - Date.parse(last.at) < apartMs) return { known: before, change: null };
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
  const kept = counted.filter(([, times]) => times < FORGOTTEN_LOOKS).toSorted(([a], [b]) => (a < b ? -1 : 1));
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
