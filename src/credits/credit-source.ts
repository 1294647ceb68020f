import type { Charge } from './usage/used-work.js';
import type { EntityManager } from 'typeorm';
import { getAccountId, type Payer } from '../keys/access/principal.js';

/** Where a caller's credits come from: a daily allowance, a balance, both, or nowhere because nothing is ever charged. */
export type SourceName = 'daily' | 'balance' | 'split' | 'none';

export interface CreditRequest {
  readonly amountCredits: number;
  /** The purpose of the work, as the ledger shows it. */
  readonly purpose: 'verify' | 'find' | 'batch' | 'blacklists' | 'domains' | 'placement';
  /** The batch that the credits are for, when they are for one. */
  readonly batchId?: number;
  /** The caller's own ceiling for this work (docs/credits.md#a-ceiling-for-one-call), when there is one. */
  readonly maxCredits?: number | null;
  /** The reservation of a balance that goes on where these free credits end (`claimed/`), when there is one. */
  readonly paidPartId?: string;
  /** The longest that the work may take; null for work that outlives its process, which another process can end. */
  readonly workMs: number | null;
}

/** Credits taken for work that has begun; the work ends it by `settle` or `release`. */
export interface Reservation {
  readonly id: string;
  readonly amountCredits: number;
  readonly source: SourceName;
  /** Who reserved nothing, since their work costs nothing: their usage is counted all the same. */
  readonly user?: UsageOwner;
}

/** Whose usage is counted, and as what. */
export interface UsageOwner {
  readonly accountId: string;
  readonly keyId: string;
  readonly simulated: boolean;
  readonly endpoint: CreditRequest['purpose'];
}

export interface DailyStatus {
  readonly source: 'daily';
  readonly dailyFreeCredits: number;
  /** Charged, without what is reserved. */
  readonly usedToday: number;
  /** Free credits held for work that still runs. */
  readonly reserved: number;
  /** Free credits that may be spent now, and paid ones. */
  readonly remaining: number;
  /** The paid ones, of the account that has claimed the agent; null when nobody has. */
  readonly paidRemaining: number | null;
  readonly resetsAt: Date;
  /** Whether all agents together have left at least one of the day's credits. */
  readonly sharedCapacityAvailable: boolean;
}

export interface BalanceStatus {
  readonly source: 'balance';
  readonly plan: string;
  /** The credits that may be spent now, without the reserved ones. */
  readonly remaining: number;
  readonly reserved: number;
  readonly usedTotal: number;
  /** The free credits that the plan gave when the account was made. */
  readonly freeGranted: number;
  readonly low: boolean;
}

export type CreditStatus = DailyStatus | BalanceStatus;

/**
 * One kind of credits. A method with `tx` belongs to the caller's transaction; `reserve` and `settle` without one are the
 * quick ones for single requests. A settlement charges at most the reserved credits and gives the rest back. Only the first
 * settlement of a reservation has an effect, and returns true.
 */
export interface CreditSource {
  reserve(principal: Payer, wanted: CreditRequest): Promise<Reservation>;
  reserveIn(tx: EntityManager, principal: Payer, wanted: CreditRequest): Promise<Reservation>;
  settle(reservationId: string, charge: Charge): Promise<boolean>;
  settleIn(tx: EntityManager, reservationId: string, charge: Charge): Promise<boolean>;
  /** Charges a part; the reservation goes on with the rest. False when it has ended or holds less. */
  settlePart(tx: EntityManager, reservationId: string, charge: Charge): Promise<boolean>;
  /** @param tx a transaction whose uncommitted reservations count too */
  getStatus(principal: Payer, tx?: EntityManager): Promise<CreditStatus>;
}

/** What stands for work that takes no credits of anybody. */
export function freeReservation(payer: Payer, { amountCredits, purpose: endpoint }: CreditRequest): Reservation {
  const user = { accountId: getAccountId(payer), keyId: payer.keyId, simulated: payer.simulated, endpoint };
  return { id: '', amountCredits, source: 'none', user };
}

/** A process that died gives its credits back this long after its work should have ended. */
const EXPIRY_MARGIN_MS = 10_000;

export function expiryOf({ workMs }: CreditRequest, now: number): Date | null {
  return workMs === null ? null : new Date(now + workMs + EXPIRY_MARGIN_MS);
}
