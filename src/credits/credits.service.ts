import { Inject, Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Payer } from '../keys/access/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import type { AppError } from '../platform/errors/app-error.js';
import type { IdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { type Balance, BalanceCreditsService, type PaidWork, NoCreditsService } from './balance-credits.service.js';
import type { CreditStatus } from '../presenting/presenter.js';
import {
  freeReservation,
  type Reservation,
  type SourceName,
  type CreditRequest,
  type CreditSource,
} from './credit-source.js';
import { checkMaxCredits } from './max-credits.js';
import { ReservationsStore } from './reservations.store.js';
import { UsageTally } from './usage/usage-tally.js';
import { chargeOf, NOTHING, type UsedWork, type UsageOwner } from './usage/used-work.js';
import { ClaimedCreditsService } from './claimed-credits.service.js';
import { DailyCreditsService } from './daily-credits.service.js';
import { counter } from '../platform/metrics/metrics.js';

const charged = counter('mailsonde_credits_charged_total', 'Credits charged, by where they came from.', ['source']);

/** Called when the charge is committed; work in test mode charges nothing. */
export function countCharged(source: SourceName, credits: number): void {
  if (source !== 'none' && credits > 0) charged.inc({ source }, credits);
}

/** Every kind of credits, by what a reservation says and by who pays. */
@Injectable()
export class CreditSources {
  readonly named: Readonly<Record<SourceName, CreditSource>>;

  constructor(
    readonly daily: DailyCreditsService,
    balance: BalanceCreditsService,
    private readonly claimed: ClaimedCreditsService,
    none: NoCreditsService,
  ) {
    this.named = { daily, balance, split: claimed, none };
  }

  of({ simulated, policy, claimer }: Payer): CreditSource {
    if (simulated) return this.named.none;
    if (policy.dailyFreeCredits === null) return this.named.balance;
    return claimer === null ? this.named.daily : this.claimed;
  }
}

export interface GivenCredits {
  readonly reason: string;
  readonly actor: string;
  readonly free?: boolean;
}

/** Who stands in ledger and audit for what the service does by itself. */
export const OURSELVES = 'mailsonde';

/** Credits to give back. */
export interface Refund {
  readonly accountId: string;
  /** The account itself, or the one that has claimed it. */
  readonly payerId: string;
  /** Above 0. */
  readonly credits: number;
  /** The day from which free credits were taken; null: they came from a balance. */
  readonly utcDate: string | null;
}

/** What the work of a reservation cost, and what was done for it. */
export interface ChargedReservation {
  readonly id: string;
  readonly charged: number;
  readonly works: readonly UsedWork[];
}

/** The credits of a caller, wherever they come from: reserved before the work, settled or released after it. */
@Injectable()
export class CreditsService {
  private readonly logger = new Logger(CreditsService.name);

  constructor(
    private readonly sources: CreditSources,
    private readonly balance: BalanceCreditsService,
    private readonly reservations: ReservationsStore,
    private readonly tally: UsageTally,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `ceiling_reached`, `key_ceiling_reached`, `credits_insufficient` or `daily_capacity_exhausted`; then nothing is taken */
  async reserve(principal: Payer, wanted: CreditRequest): Promise<Reservation> {
    checkMaxCredits(wanted.amountCredits, wanted.maxCredits);
    if (wanted.amountCredits === 0) return freeReservation(principal, wanted);
    return this.sources.of(principal).reserve(principal, wanted);
  }

  /** Reserves in a transaction: the credits are taken when it is committed. @throws AppError as `reserve` does */
  async reserveIn(tx: EntityManager, principal: Payer, wanted: CreditRequest): Promise<Reservation> {
    checkMaxCredits(wanted.amountCredits, wanted.maxCredits);
    if (wanted.amountCredits === 0) return freeReservation(principal, wanted);
    return this.sources.of(principal).reserveIn(tx, principal, wanted);
  }

  /** Whether the caller pays from a balance and his key has no ceilings: then his credits are reserved together with those of others. */
  isShared(payer: Payer): boolean {
    return payer.ceilingId === null && this.sources.of(payer) === this.balance;
  }

  /**
   * Reserves for several such callers in a transaction, by one statement. The caller has checked what their own ceilings for the work allow.
   * @returns for each his reservation, or why there is none
   */
  reserveSharedIn(tx: EntityManager, wanted: readonly PaidWork[]): Promise<(Reservation | AppError)[]> {
    return this.balance.reserveAllIn(tx, wanted);
  }

  /**
   * Charges the cost of the work, at most the reserved credits; the rest goes back.
   * @param claim the request's, when it has an idempotency key: then the charge is made when the reply is kept, or not at all
   * @param works what was done, for the usage
   * @returns the credits charged: none when the reservation had expired.
   */
  async settle(
    reservation: Reservation,
    chargedCredits: number,
    claim: IdempotencyClaim | null = null,
    works: readonly UsedWork[] = [],
  ): Promise<number> {
    const { id, source, user } = reservation;
    if (source === 'none') {
      if (user !== undefined) this.tally.addFree(user, works);
      return 0;
    }
    const charged =
      claim !== null
        ? await claim.transaction((tx) => this.settleIn(tx, reservation, chargedCredits, works))
        : (await this.sources.named[source].settle(id, chargeOf(chargedCredits, works)))
          ? chargedCredits
          : 0;
    countCharged(source, charged);
    return charged;
  }

  /** Settles in a transaction. */
  async settleIn(
    tx: EntityManager,
    { id, source }: Pick<Reservation, 'id' | 'source'>,
    charged: number,
    works: readonly UsedWork[] = [],
  ): Promise<number> {
    return (await this.sources.named[source].settleIn(tx, id, chargeOf(charged, works))) ? charged : 0;
  }

  /**
   * Settles reservations of balances in a transaction, all by one statement: by it their balances are locked in one order.
   * @returns whether each was settled
   */
  settleBalancesIn(tx: EntityManager, endings: readonly ChargedReservation[]): Promise<boolean[]> {
    return this.balance.settleAllIn(
      tx,
      endings.map(({ id, charged, works }) => ({ reservationId: id, charge: chargeOf(charged, works) })),
    );
  }

  /**
   * Charges a part of the work's cost; the reservation goes on with the rest, until `settleIn` ends it.
   * @returns false when it has ended or holds less.
   */
  settlePart(
    tx: EntityManager,
    { id, source }: Pick<Reservation, 'id' | 'source'>,
    charged: number,
    works: readonly UsedWork[] = [],
  ): Promise<boolean> {
    return this.sources.named[source].settlePart(tx, id, chargeOf(charged, works));
  }

  /** Counts work for which nothing was reserved. */
  countFree(user: UsageOwner, works: readonly UsedWork[]): void {
    this.tally.addFree(user, works);
  }

  async release(reservation: Reservation): Promise<void> {
    await this.settle(reservation, 0);
  }

  /** Gives back what processes that died had reserved. */
  async releaseExpired(limit = 1000): Promise<number> {
    const lapsed = await this.reservations.findExpired(this.clock.date(), limit);
    await Promise.all(lapsed.map(({ id, source }) => this.sources.named[source].settle(id, NOTHING)));
    if (lapsed.length > 0)
      this.logger.log(`gave back the credits of ${lapsed.length} requests that a stopped process left behind`);
    return lapsed.length;
  }

  /**
   * Gives credits to a full account.
   * @param amount above 0
   * @param given why and by whom; `free` for the credits that a plan gives once, when the account is made
   */
  grant(tx: EntityManager, accountId: string, amount: number, given: GivenCredits): Promise<void> {
    return this.balance.change(tx, { accountId, kind: 'grant', amount, free: false, lowCredits: 0, ...given });
  }

  /**
   * Corrects the balance of a full account, upwards or downwards.
   * @param given why and by whom, and what the account's plan calls low
   * @throws AppError `balance_too_low`
   */
  adjust(
    tx: EntityManager,
    accountId: string,
    amount: number,
    given: Omit<GivenCredits, 'free'> & { readonly lowCredits: number },
  ): Promise<void> {
    return this.balance.change(tx, { accountId, kind: 'adjust', amount, free: false, ...given });
  }

  /** The day from which a reservation has taken free credits alone; null: its credits come from a balance too, or it has ended. */
  async dayOf(tx: EntityManager, { id, source }: Pick<Reservation, 'id' | 'source'>): Promise<string | null> {
    return source === 'daily' ? this.reservations.findUtcDate(tx, id) : null;
  }

  /**
   * Gives back credits that were charged for what was not true. To an account, and to the one that has claimed an agent and paid, they come
   * as an adjustment; to an agent as free credits of the day from which they were taken. The day's usage and the ceilings of keys count them
   * on. Who refunds to several days does so in their order.
   */
  async refund(tx: EntityManager, { accountId, payerId, credits, utcDate }: Refund, reason: string): Promise<void> {
    if (utcDate !== null) return this.sources.daily.giveBack(tx, accountId, credits, utcDate);
    const change = { accountId: payerId, amount: credits, reason, actor: OURSELVES, free: false, lowCredits: 0 };
    await this.balance.change(tx, { ...change, kind: 'adjust' });
  }

  /** The balance of a full account. */
  getBalance(tx: EntityManager, accountId: string): Promise<Balance> {
    return this.balance.getBalance(tx, accountId);
  }

  /** @param claim the request's, when it has an idempotency key: then what its work has taken so far is seen */
  getStatus(principal: Payer, claim: IdempotencyClaim | null = null): Promise<CreditStatus> {
    const source = this.sources.of(principal);
    if (claim === null) return source.getStatus(principal);
    return claim.transaction((tx) => source.getStatus(principal, tx));
  }
}
