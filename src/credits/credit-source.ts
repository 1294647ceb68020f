import type { CreditStatus } from '../presenting/presenter.js';
import type { Charge, UsageOwner, WorkPurpose } from './usage/used-work.js';
import type { EntityManager } from 'typeorm';
import { getAccountId, type Payer } from '../keys/access/principal.js';
import { type Ceiling, type CeilingRow, ceilingsAt } from '../keys/scope/ceilings.js';
import { AppError } from '../platform/errors/app-error.js';
import { counted } from '../platform/counted.js';

/** Where a caller's credits come from: a daily allowance, a balance, both, or nowhere because nothing is ever charged. */
export type SourceName = 'daily' | 'balance' | 'split' | 'none';

export interface CreditRequest {
  readonly amountCredits: number;
  /** The purpose of the work, as the ledger shows it. */
  readonly purpose: WorkPurpose;
  /** The batch that the credits are for, when they are for one. */
  readonly batchId?: number;
  /** The caller's own ceiling for this work (docs/credits.md#a-ceiling-for-one-call), when there is one. */
  readonly maxCredits?: number | null;
  /** The reservation of a balance that goes on where these free credits end (`claimed-credits.service`), when there is one. */
  readonly paidPartId?: string;
  /** The longest that the work may take; null for work that outlives its process, which another process can end. */
  readonly workMs: number | null;
}

/** Credits taken for work that has begun; the work ends it by `settle` or `release`. */
export interface Reservation {
  readonly id: string;
  readonly amountCredits: number;
  readonly source: SourceName;
  /** The day of free credits; left out: they are of no day. */
  readonly utcDate?: string;
  /** Who reserved nothing, since their work costs nothing: their usage is counted all the same. */
  readonly user?: UsageOwner;
}

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

/** The ceiling that leaves less than the work may cost, of several the one that lasts the longest; null when there is none. */
export function findReached(row: CeilingRow, requiredCredits: number, now: number): Ceiling | null {
  return ceilingsAt(row, now).find(({ credits, used }) => used + requiredCredits > credits) ?? null;
}

export function ceilingReached({ name, credits, used, resetsAt }: Ceiling, required: number): AppError {
  return new AppError('key_ceiling_reached', {
    message: `The work may cost ${counted(required, 'credit')}. The ceiling ${name} of this key is ${credits}, and ${counted(used, 'is', 'are')} used.`,
    body: { required, ceiling: name, credits, used, resets_at: resetsAt?.toISOString() ?? null },
  });
}

/**
 * The same of an agent that an account has claimed, whose free credits start again by themselves.
 * @param body of the refusal above, with `resets_at` of the free credits
 */
export function agentCeilingReached(keyId: string, body: Readonly<Record<string, unknown>>): AppError {
  const message =
    `Today's free credits do not suffice, and the ceiling ${String(body['ceiling'])} of this agent is ${String(body['credits'])}, of which ${counted(Number(body['used']), 'is', 'are')} used. ` +
    `The free ones start again at ${String(body['resets_at'])}; whoever has claimed the agent can raise its ceilings before: PATCH /api/v1/keys/${keyId}.`;
  return new AppError('key_ceiling_reached', { message, body });
}
