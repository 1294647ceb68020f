import { AppError, invalidField } from '../../platform/errors/app-error.js';
import type { KeyKind } from '../scope/key-kind.js';
import type { KeyCeiling } from './key-ceiling.entity.js';

/** The ceilings that a key may have, those that last the longest first. */
export const CEILINGS = ['credits_total', 'credits_per_month', 'credits_per_day'] as const;

export type CeilingName = (typeof CEILINGS)[number];

/** Ceilings as callers name them: what is left out stays, and null takes one away. */
export type AskedCeilings = { readonly [Name in CeilingName]?: number | null | undefined };

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
  const all = [
    { name: 'credits_total', credits: row.creditsTotal, used: row.usedTotal, resetsAt: null },
    {
      name: 'credits_per_month',
      credits: row.creditsPerMonth,
      used: usedMonth,
      resetsAt: new Date(Date.UTC(year, month + 1)),
    },
    {
      name: 'credits_per_day',
      credits: row.creditsPerDay,
      used: usedDay,
      resetsAt: new Date(Date.UTC(year, month, day + 1)),
    },
  ] as const;
  return all.flatMap(({ credits, ...ceiling }) => (credits === null ? [] : [{ ...ceiling, credits }]));
}

/** The members of a body that name ceilings. @throws AppError `invalid_input` for an admin key, which spends nothing */
export function readCeilings(kind: KeyKind, asked: AskedCeilings): AskedCeilings {
  const named = Object.fromEntries(
    CEILINGS.filter((name) => asked[name] !== undefined).map((name) => [name, asked[name]]),
  ) as AskedCeilings;
  const first = CEILINGS.find((name) => name in named);
  if (kind === 'admin' && first !== undefined) throw invalidField(first, 'is nothing that an admin key has');
  return named;
}

/** Whether any ceiling is set. */
export function isCeiling(asked: AskedCeilings): boolean {
  return CEILINGS.some((name) => (asked[name] ?? null) !== null);
}

export interface Spender {
  readonly kind: KeyKind;
  readonly ceilingId: string | null;
  readonly ceiling: Omit<CeilingRow, 'usedDate' | 'usedDay' | 'usedMonth' | 'usedTotal'> | null;
}

/**
 * Checks that a key gives out none that may spend more than itself: under ceilings it gives out keys that share them, and keys that spend
 * nothing.
 * @throws AppError `ceiling_not_allowed`
 */
export function checkSpends(giver: Spender, given: Spender): void {
  if (giver.ceilingId === null || spendsNothing(given) || given.ceilingId === giver.ceilingId) return;
  throw new AppError('ceiling_not_allowed');
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
  return (
    ceiling === null || LIMITS.every((limit) => (ceiling[limit] ?? Infinity) >= (other.ceiling?.[limit] ?? Infinity))
  );
}

const LIMITS = ['creditsTotal', 'creditsPerMonth', 'creditsPerDay'] as const;
const SPENDS_MORE = 'A key makes, changes, rotates and revokes none that may spend more than itself.';

function spendsNothing({ kind, ceilingId }: Spender): boolean {
  return kind === 'test' || (kind === 'agent' && ceilingId === null);
}

/** Checks that a key may set ceilings, which none does that has some itself. @throws AppError `ceiling_not_allowed` */
export function checkSetsCeilings(giver: { readonly ceilingId: string | null } | null): void {
  if (giver === null || giver.ceilingId === null) return;
  throw new AppError('ceiling_not_allowed', { message: 'A key that has ceilings cannot set or change any.' });
}
