import type { EntityManager } from 'typeorm';
import type { Payer } from '../keys/principal.js';

/** Where a caller's credits come from: a daily allowance, a balance, or nowhere because nothing is ever charged. */
export type SourceName = 'daily' | 'balance' | 'unpaid';

export interface WantedCredits {
  readonly amountCredits: number;
  /** What for, as the ledger tells it. */
  readonly purpose: 'verify' | 'find' | 'batch';
  /** The longest that the work may take; null for work that outlives its process and is ended by whoever finds it. */
  readonly workMs: number | null;
}

/** Credits taken for work that has begun; the work ends it by `settle` or `release`. */
export interface Reservation {
  readonly id: string;
  readonly amountCredits: number;
  readonly source: SourceName;
}

export interface DailyStanding {
  readonly source: 'daily';
  readonly dailyFreeCredits: number;
  readonly usedToday: number;
  readonly remaining: number;
  readonly resetsAt: Date;
  /** Whether all agents together have left at least one of the day's credits. */
  readonly sharedCapacityAvailable: boolean;
}

export interface BalanceStanding {
  readonly source: 'balance';
  readonly plan: string;
  /** What may be spent now: reserved credits are not in it. */
  readonly remaining: number;
  readonly reserved: number;
  readonly usedTotal: number;
  /** What the plan gave when the account was made. */
  readonly freeGranted: number;
  readonly low: boolean;
}

export type CreditStanding = DailyStanding | BalanceStanding;

/**
 * One kind of credits. A method with `tx` belongs to the caller's transaction; `reserve` and `settle` without one are the
 * quick ones for single requests. A settlement charges at most what is reserved and gives the rest back, and only the first
 * of a reservation does anything: then it answers true.
 */
export interface CreditSource {
  reserve(principal: Payer, wanted: WantedCredits): Promise<Reservation>;
  reserveIn(tx: EntityManager, principal: Payer, wanted: WantedCredits): Promise<Reservation>;
  settle(reservationId: string, chargedCredits: number): Promise<boolean>;
  settleIn(tx: EntityManager, reservationId: string, chargedCredits: number): Promise<boolean>;
  /** Charges a part; the reservation goes on with the rest. False when it has ended or holds less. */
  settlePart(tx: EntityManager, reservationId: string, chargedCredits: number): Promise<boolean>;
  /** @param tx to see what it has taken and not committed yet */
  getStanding(principal: Payer, tx?: EntityManager): Promise<CreditStanding>;
}

/** A process that died gives its credits back this long after its work should have ended. */
const LAPSE_MARGIN_MS = 10_000;

export function lapseOf({ workMs }: WantedCredits, now: number): Date | null {
  return workMs === null ? null : new Date(now + workMs + LAPSE_MARGIN_MS);
}
