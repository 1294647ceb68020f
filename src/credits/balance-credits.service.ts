import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { getAccountId, type Payer } from '../keys/access/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import {
  type Balance,
  type BalanceChange,
  type BalanceReservation,
  BalanceStore,
  type CeilingDecision,
  type Ending,
  type LimitedReservation,
} from './balance.store.js';
import type { BalanceStatus } from '../presenting/presenter.js';
import {
  type CreditSource,
  expiryOf,
  type Reservation,
  type CreditRequest,
  ceilingReached,
  findReached,
  freeReservation,
} from './credit-source.js';
import type { Charge } from './usage/used-work.js';
import { Semaphore } from '../lib/semaphore.js';
import { MicroBatcher } from '../lib/micro-batcher.js';
import { counted } from '../platform/counted.js';
import { BillingAccounts } from '../keys/access/billing-accounts.js';

export type { Balance };

/** Larger flushes would gain nothing more, and keep a balance locked for longer (`bench/credits`, bench/JOURNAL.md). */
const MAX_FLUSH = 200;

/** Who pays for work, and how much. */
export interface PaidWork {
  readonly payer: Payer;
  readonly credits: CreditRequest;
}

/** Credits of full accounts: bought or granted, they never expire. */
@Injectable()
export class BalanceCreditsService implements CreditSource {
  /**
   * A settlement keeps its balances locked until its commit is on the disk, so a reservation beside it would wait in PostgreSQL, alone. Here
   * it waits with all that come meanwhile, and then shares their statement.
   */
  private readonly turn = new Semaphore(1);
  private readonly reservations = new MicroBatcher<BalanceReservation, boolean>(
    (wanted) => this.takeAll(this.database.manager, wanted),
    MAX_FLUSH,
    { turn: this.turn },
  );
  /** In statements of their own, so that the others pay nothing for ceilings. */
  private readonly limited = new MicroBatcher<LimitedReservation, CeilingDecision | null>(
    (wanted) => this.takeLimited(this.database.manager, wanted),
    MAX_FLUSH,
    { turn: this.turn },
  );
  private readonly settlements = new MicroBatcher<Ending, boolean>(
    (endings) => this.settleAll(this.database.manager, endings),
    MAX_FLUSH,
    { turn: this.turn },
  );

  constructor(
    private readonly database: DataSource,
    private readonly store: BalanceStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `key_ceiling_reached`, `credits_insufficient`; then nothing is taken */
  async reserve(principal: Payer, wanted: CreditRequest): Promise<Reservation> {
    const reservation = this.newReservation(principal, wanted);
    const limited = limitedBy(principal, reservation);
    if (limited !== null) return this.decided(this.database.manager, limited, await this.limited.add(limited));
    if (await this.reservations.add(reservation)) return toReservation(reservation);
    throw await this.refusal(this.database.manager, reservation);
  }

  /** @throws AppError `key_ceiling_reached`, `credits_insufficient`; then nothing is taken */
  async reserveIn(tx: EntityManager, principal: Payer, wanted: CreditRequest): Promise<Reservation> {
    const reservation = this.newReservation(principal, wanted);
    const limited = limitedBy(principal, reservation);
    if (limited !== null) return this.decided(tx, limited, (await this.takeLimited(tx, [limited]))[0]!);
    if ((await this.takeAll(tx, [reservation]))[0]) return toReservation(reservation);
    throw await this.refusal(tx, reservation);
  }

  /**
   * Reserves for several callers without ceilings in a transaction, the smallest first.
   * @returns for each his reservation, or why there is none
   */
  async reserveAllIn(tx: EntityManager, wanted: readonly PaidWork[]): Promise<(Reservation | AppError)[]> {
    const all = wanted.map(({ payer, credits }) => this.newReservation(payer, credits));
    const made = await this.takeAll(tx, all);
    const answers: (Reservation | AppError)[] = [];
    for (const [i, one] of all.entries()) answers.push(made[i] ? toReservation(one) : await this.refusal(tx, one));
    return answers;
  }

  settle(reservationId: string, charge: Charge): Promise<boolean> {
    return this.settlements.add({ reservationId, charge });
  }

  async settleIn(tx: EntityManager, reservationId: string, charge: Charge): Promise<boolean> {
    return (await this.settleAll(tx, [{ reservationId, charge }]))[0]!;
  }

  /** Settles many in a transaction. @returns whether each was: the first ending of a reservation has an effect */
  settleAllIn(tx: EntityManager, endings: readonly Ending[]): Promise<boolean[]> {
    return this.settleAll(tx, endings);
  }

  async settlePart(tx: EntityManager, reservationId: string, charge: Charge): Promise<boolean> {
    const isNothing = charge.credits === 0 && charge.works.length === 0;
    return isNothing || this.store.settlePart(tx, { reservationId, charge }, this.clock.date());
  }

  /** @throws AppError `balance_too_low` */
  async change(tx: EntityManager, change: BalanceChange): Promise<void> {
    if (await this.store.change(tx, change, this.clock.date())) return;
    const { available } = await this.store.find(tx, change.accountId);
    throw new AppError('balance_too_low', {
      message: `The account has only ${counted(available, 'credit')} to take away.`,
    });
  }

  getBalance(tx: EntityManager, accountId: string): Promise<Balance> {
    return this.store.find(tx, accountId);
  }

  async getStatus(principal: Payer, tx: EntityManager = this.database.manager): Promise<BalanceStatus> {
    const { policy } = principal;
    const balance = await this.store.find(tx, getAccountId(principal));
    const { available: remaining, reserved, usedTotal, freeGranted } = balance;
    const low = remaining < policy.lowCredits;
    return { source: 'balance', plan: policy.name, remaining, reserved, usedTotal, freeGranted, low };
  }

  private newReservation(principal: Payer, wanted: CreditRequest): BalanceReservation {
    return {
      id: randomUUID(),
      accountId: getAccountId(principal),
      amount: wanted.amountCredits,
      keyId: principal.keyId,
      purpose: wanted.purpose,
      batchId: wanted.batchId ?? null,
      expiresAt: expiryOf(wanted, this.clock.now()),
      lowCredits: principal.policy.lowCredits,
    };
  }

  private async takeAll(tx: EntityManager, wanted: readonly BalanceReservation[]): Promise<boolean[]> {
    const made = await this.store.reserve(tx, wanted, this.clock.date());
    return wanted.map(({ id }) => made.has(id));
  }

  private async takeLimited(
    tx: EntityManager,
    wanted: readonly LimitedReservation[],
  ): Promise<(CeilingDecision | null)[]> {
    const decisions = await this.store.reserveUnderCeilings(tx, wanted, this.clock.date());
    return wanted.map(({ id }) => decisions.get(id) ?? null);
  }

  private async decided(
    tx: EntityManager,
    reservation: LimitedReservation,
    decision: CeilingDecision | null,
  ): Promise<Reservation> {
    if (decision?.isMade) return toReservation(reservation);
    const reached = decision && findReached(decision, reservation.amount, this.clock.now());
    throw reached === null ? await this.refusal(tx, reservation) : ceilingReached(reached, reservation.amount);
  }

  private async settleAll(tx: EntityManager, endings: readonly Ending[]): Promise<boolean[]> {
    // One that is ended twice at once counts the work of one only.
    const firsts = new Map(endings.toReversed().map((ending) => [ending.reservationId, ending]));
    const ended = await this.store.settle(tx, [...firsts.values()], this.clock.date());
    // Only the first of two that end the same reservation at once did it.
    return endings.map(({ reservationId }) => ended.delete(reservationId));
  }

  private async refusal(tx: EntityManager, { accountId, amount }: BalanceReservation): Promise<AppError> {
    const { available } = await this.store.find(tx, accountId);
    // Others may have given credits back since; the refusal was right when it was made.
    return new AppError('credits_insufficient', {
      body: { required: amount, remaining: Math.min(available, amount - 1) },
    });
  }
}

/** Null for a key that has no ceilings. */
function limitedBy({ ceilingId, claimer }: Payer, reservation: BalanceReservation): LimitedReservation | null {
  return ceilingId === null ? null : { ...reservation, ceilingId, withoutCeiling: claimer === null ? null : 0 };
}

function toReservation({ id, amount }: BalanceReservation): Reservation {
  return { id, amountCredits: amount, source: 'balance' };
}

/**
 * The credits of callers in test mode: nothing is taken, and the balance that they see stays as it is. Of ceilings nothing is used either:
 * work that alone may cost more than one allows is refused as a live key's would be, so that a program can be tried.
 */
@Injectable()
export class NoCreditsService implements CreditSource {
  constructor(
    private readonly balances: BalanceCreditsService,
    private readonly billing: BillingAccounts,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `key_ceiling_reached` */
  async reserve(payer: Payer, wanted: CreditRequest, tx?: EntityManager): Promise<Reservation> {
    const { amountCredits } = wanted;
    const ceiling = await this.billing.findCeilings(payer.ceilingId, tx);
    const reached = ceiling && findReached(ceiling, amountCredits, this.clock.now());
    if (reached !== null) throw ceilingReached(reached, amountCredits);
    return freeReservation(payer, wanted);
  }

  reserveIn(tx: EntityManager, principal: Payer, wanted: CreditRequest): Promise<Reservation> {
    return this.reserve(principal, wanted, tx);
  }

  async settle(): Promise<boolean> {
    return false;
  }

  async settleIn(): Promise<boolean> {
    return false;
  }

  async settlePart(): Promise<boolean> {
    return true;
  }

  getStatus(principal: Payer, tx?: EntityManager): Promise<BalanceStatus> {
    return this.balances.getStatus(principal, tx);
  }
}
