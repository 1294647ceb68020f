import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { ERROR_CATALOG } from '../../platform/errors/error-catalog.js';
import type { KeyKind } from './key-scope.js';
import type { KeyCeiling } from './key-ceiling.entity.js';

/** The ceilings that a key may have, with the member of its row, those that last the longest first. */
const LIMITS = {
  credits_total: 'creditsTotal',
  credits_per_month: 'creditsPerMonth',
  credits_per_day: 'creditsPerDay',
} as const;

export type CeilingName = keyof typeof LIMITS;

export const CEILINGS = Object.keys(LIMITS) as readonly CeilingName[];

type CeilingLimits = Pick<KeyCeiling, (typeof LIMITS)[CeilingName]>;

/** Ceilings as callers name them: what is left out stays, and null takes one away. */
export type CeilingsInput = { readonly [Name in CeilingName]?: number | null | undefined };

/** The same in the shape of replies too, where `ceilings` holds them and null takes all of them away. */
export interface GivenCeilings extends CeilingsInput {
  readonly ceilings?: { readonly [Name in CeilingName]?: number | { readonly credits: number } | null } | null;
}

/** More than any account has, and within the integers of every column. */
export const MAX_CEILING = 1_000_000_000;

export type CeilingRow = Omit<KeyCeiling, 'id'>;

/** One ceiling at a moment. */
export interface Ceiling {
  readonly name: CeilingName;
  readonly credits: number;
  /** Charged, and reserved for work that still runs. */
  readonly used: number;
  /** Null: never. */
  readonly resetsAt: Date | null;
}

/** The ceilings that there are, those that last the longest first. */
export function ceilingsAt(row: CeilingRow, now: number): Ceiling[] {
  const at = new Date(now);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const today = at.toISOString().slice(0, 'YYYY-MM-DD'.length);
  const thisMonth = today.slice(0, 'YYYY-MM'.length);
  // Another process's clock may be ahead by a moment, and have begun the next day.
  const usedDay = (row.usedDate ?? '') >= today ? row.usedDay : 0;
  const usedMonth = (row.usedDate ?? '') >= thisMonth ? row.usedMonth : 0;
  const uses = {
    credits_total: [row.usedTotal, null],
    credits_per_month: [usedMonth, new Date(Date.UTC(year, month + 1))],
    credits_per_day: [usedDay, new Date(Date.UTC(year, month, day + 1))],
  } as const;
  return CEILINGS.flatMap((name) => {
    const [credits, [used, resetsAt]] = [row[LIMITS[name]], uses[name]];
    return credits === null ? [] : [{ name, credits, used, resetsAt }];
  });
}

/** The ceilings that are named, as their row has them. */
export function limitsOf(asked: CeilingsInput): Partial<CeilingLimits> {
  const named = CEILINGS.filter((name) => asked[name] !== undefined);
  return Object.fromEntries(named.map((name) => [LIMITS[name], asked[name]]));
}

/** Whether the row has any ceiling. */
export function hasLimit(row: CeilingLimits): boolean {
  return Object.values(LIMITS).some((limit) => row[limit] !== null);
}

/**
 * The members of a body that name ceilings.
 * @throws AppError `invalid_input` for both forms at once, and for an admin key, which spends nothing
 */
export function readCeilings(kind: KeyKind, given: GivenCeilings): CeilingsInput {
  const flat = CEILINGS.find((name) => given[name] !== undefined);
  const { ceilings } = given;
  if (ceilings !== undefined && flat !== undefined)
    throw invalidField('ceilings', `cannot be combined with ${flat}: send one of the two`);
  if (kind === 'admin') {
    if (flat !== undefined) throw invalidField(flat, NOT_OF_ADMINS);
    // Replies show null at the keys of administrators.
    if ((ceilings ?? null) !== null) throw invalidField('ceilings', NOT_OF_ADMINS);
    return {};
  }
  if (ceilings === null) return { credits_total: null, credits_per_month: null, credits_per_day: null };
  const asked = ceilings ?? given;
  return Object.fromEntries(
    CEILINGS.filter((name) => asked[name] !== undefined).map((name) => [name, creditsOf(asked[name]!)]),
  );
}

const NOT_OF_ADMINS = 'is not allowed for an admin key, which spends no credits';

function creditsOf(given: number | { readonly credits: number } | null): number | null {
  return typeof given === 'object' && given !== null ? given.credits : given;
}

/** Whether any ceiling is set. */
export function isCeiling(asked: CeilingsInput): boolean {
  return CEILINGS.some((name) => (asked[name] ?? null) !== null);
}

export interface Spender {
  readonly kind: KeyKind;
  readonly ceilingId: string | null;
  readonly ceiling: CeilingLimits | null;
}

/**
 * Checks that a key gives out none that may spend more than itself: under ceilings it gives out keys that share them, and keys that spend
 * nothing.
 * @throws AppError `ceiling_not_allowed`
 */
export function checkSpends(
  giver: Spender,
  given: Spender,
  message: string = ERROR_CATALOG.ceiling_not_allowed[1],
): void {
  if (giver.ceilingId === null || spendsNothing(given) || given.ceilingId === giver.ceilingId) return;
  throw new AppError('ceiling_not_allowed', { message });
}

/** Checks that no ceiling of the other key is higher, or not there. @throws AppError `ceiling_not_allowed` */
export function checkSpendsNoMore(own: Spender, other: Spender): void {
  if (!spendsNoMore(own, other)) throw new AppError('ceiling_not_allowed', { message: SPENDS_MORE });
}

/** Whether no ceiling of the other key is higher, or not there. */
export function spendsNoMore(own: Spender, other: Spender): boolean {
  if (spendsNothing(other)) return true;
  if (spendsNothing(own)) return false;
  const { ceiling } = own;
  if (ceiling === null) return true;
  return Object.values(LIMITS).every((limit) => (ceiling[limit] ?? Infinity) >= (other.ceiling?.[limit] ?? Infinity));
}

const SPENDS_MORE = 'A key makes, changes, rotates and revokes none that may spend more than itself.';

function spendsNothing({ kind, ceilingId }: Spender): boolean {
  return kind === 'test' || (kind === 'agent' && ceilingId === null);
}

/** Checks that a key may set ceilings, which none does that has some itself. @throws AppError `ceiling_not_allowed` */
export function checkSetsCeilings(giver: { readonly ceilingId: string | null } | null): void {
  if (giver === null || giver.ceilingId === null) return;
  throw new AppError('ceiling_not_allowed', { message: 'A key that has ceilings cannot set or change any.' });
}
