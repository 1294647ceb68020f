import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Claimer, Payer } from '../keys/access/principal.js';
import { ceilingsAt } from '../keys/scope/ceilings.js';
import { BillingAccounts } from '../keys/access/billing-accounts.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { BalanceCreditsService } from './balance-credits.service.js';
import type { DailyStatus } from '../presenting/presenter.js';
import { agentCeilingReached, type CreditSource, type Reservation, type CreditRequest } from './credit-source.js';
import type { Charge, UsedWork } from './usage/used-work.js';
import { DailyCreditsService } from './daily-credits.service.js';
import { utcDay } from './usage/utc-day.js';
import { ReservationsStore } from './reservations.store.js';

/** Rolls back to the savepoint of an attempt that has found too little. */
class TooLittle extends Error {}

/**
 * What it is: the credits of an agent that a full account has claimed. The free ones of the day come first; what goes beyond is taken from
 * the account's balance, under the ceilings of the agent's key, without which nothing is. Ledger and usage of the account name that key.
 *
 * Its states: a reservation is of free credits, of the balance, or split: then the free part has the id and names the paid one. A single
 * request is never split.
 *
 * Its invariants: of a split reservation the free part is charged first, so what is not used goes back to the account first. The balance is
 * locked before the agent's day, whoever reserves or settles, so that nobody waits for anybody in a circle.
 *
 * What happens at a failure: both parts change in one transaction. Only batches are split, and they have no end that lapses.
 */
@Injectable()
export class ClaimedCreditsService implements CreditSource {
  constructor(
    private readonly database: DataSource,
    private readonly daily: DailyCreditsService,
    private readonly balance: BalanceCreditsService,
    private readonly billing: BillingAccounts,
    private readonly reservations: ReservationsStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `key_ceiling_reached`, `credits_insufficient`, `daily_capacity_exhausted`; then nothing is taken */
  async reserve(principal: Payer, wanted: CreditRequest): Promise<Reservation> {
    const { manager } = this.database;
    const free = await this.daily.tryReserve(manager, principal, wanted);
    return free ?? this.pay(manager, principal, wanted, (payer) => this.balance.reserve(payer, wanted));
  }

  /** @throws AppError `key_ceiling_reached`, `credits_insufficient`; then nothing is taken */
  async reserveIn(tx: EntityManager, principal: Payer, wanted: CreditRequest): Promise<Reservation> {
    const free = Math.min(await this.daily.findFree(tx, principal), wanted.amountCredits);
    const attempt = free === 0 ? null : await this.reserveFree(tx, principal, wanted, free);
    return attempt ?? this.pay(tx, principal, wanted, (payer) => this.balance.reserveIn(tx, payer, wanted));
  }

  settle(reservationId: string, charge: Charge): Promise<boolean> {
    return this.database.transaction((tx) => this.settleIn(tx, reservationId, charge));
  }

  async settleIn(tx: EntityManager, reservationId: string, charge: Charge): Promise<boolean> {
    const split = await this.reservations.lockSplit(tx, reservationId);
    if (split === null) return false;
    const [free, paid] = divideCharge(charge, split.freeCredits);
    const isEnded = await this.balance.settleIn(tx, split.paidPartId, paid);
    return (await this.daily.settleIn(tx, reservationId, free)) && isEnded;
  }

  async settlePart(tx: EntityManager, reservationId: string, charge: Charge): Promise<boolean> {
    const split = await this.reservations.lockSplit(tx, reservationId);
    if (split === null) return false;
    const [free, paid] = divideCharge(charge, split.freeCredits);
    const isHeld = await this.balance.settlePart(tx, split.paidPartId, paid);
    return (await this.daily.settlePart(tx, reservationId, free)) && isHeld;
  }

  async getStatus(principal: Payer, tx: EntityManager = this.database.manager): Promise<DailyStatus> {
    const status = await this.daily.getStatus(principal, tx);
    const paidRemaining = await this.findPayable(principal, tx);
    return { ...status, paidRemaining, remaining: status.remaining + paidRemaining };
  }

  /** Takes the free credits that there are, and the rest of the balance. Null when somebody else has taken some of them meanwhile. */
  private async reserveFree(
    tx: EntityManager,
    principal: Payer,
    wanted: CreditRequest,
    freeCredits: number,
  ): Promise<Reservation | null> {
    const { amountCredits } = wanted;
    try {
      // In a savepoint: what it has locked is free again when it fails, so that the balance is always locked first.
      return await tx.transaction(async (savepoint) => {
        const rest = { ...wanted, amountCredits: amountCredits - freeCredits };
        const paid =
          rest.amountCredits === 0
            ? null
            : await this.pay(savepoint, principal, wanted, (payer) => this.balance.reserveIn(savepoint, payer, rest));
        const first = { ...wanted, amountCredits: freeCredits, ...(paid && { paidPartId: paid.id }) };
        const free = await this.daily.tryReserve(savepoint, principal, first);
        if (free === null) throw new TooLittle();
        return paid === null ? free : { id: free.id, amountCredits, source: 'split' };
      });
    } catch (error) {
      if (error instanceof TooLittle) return null;
      throw error;
    }
  }

  private async pay(
    tx: EntityManager,
    principal: Payer,
    { amountCredits: required }: CreditRequest,
    reserve: (payer: Payer) => Promise<Reservation>,
  ): Promise<Reservation> {
    const day = utcDay(this.clock.now());
    const resetsAt = day.endsAt.toISOString();
    if (principal.ceilingId === null) {
      const { remaining } = await this.daily.getStatus(principal, tx);
      if (remaining >= required) throw new AppError('daily_capacity_exhausted', { retryAfterSeconds: day.secondsLeft });
      throw agentCeilingReached(principal.keyId, { ...NO_CEILING, required, resets_at: resetsAt });
    }
    try {
      return await reserve(payerOf(principal));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'key_ceiling_reached')
        throw agentCeilingReached(principal.keyId, { ...error.details.body, required, resets_at: resetsAt });
      if (error.code !== 'credits_insufficient') throw error;
      const { remaining } = await this.getStatus(principal, tx);
      throw new AppError('credits_insufficient', {
        message: `Today's free credits do not suffice, and the account that has claimed this agent has too few credits. They start again at ${resetsAt}.`,
        // Others may have given credits back since.
        body: { required, remaining: Math.min(remaining, required - 1), resets_at: resetsAt },
      });
    }
  }

  private async findPayable(principal: Payer, tx: EntityManager): Promise<number> {
    const ceiling = await this.billing.findCeilings(principal.ceilingId, tx);
    const ceilings = ceiling === null ? [] : ceilingsAt(ceiling, this.clock.now());
    if (ceilings.length === 0) return 0;
    const { available } = await this.balance.getBalance(tx, claimedBy(principal).accountId);
    return Math.max(0, Math.min(available, ...ceilings.map(({ credits, used }) => credits - used)));
  }
}

/** An agent without ceilings spends nothing of the account. */
const NO_CEILING = { ceiling: 'credits_total', credits: 0, used: 0 };

/** The account that has claimed the agent, paying for its key. */
function payerOf(principal: Payer): Payer {
  const { accountId, policy } = claimedBy(principal);
  return { ...principal, accountId, policy };
}

function claimedBy({ claimer, keyId }: Payer): Claimer {
  if (claimer === null) throw new Error(`nobody has claimed the key ${keyId}`);
  return claimer;
}

/** Divides a charge: the first so many credits of it, with the work that they paid for, and the rest. */
export function divideCharge({ credits, works }: Charge, firstCredits: number): readonly [first: Charge, rest: Charge] {
  const first = Math.min(credits, firstCredits);
  let left = first;
  const parts: [UsedWork[], UsedWork[]] = [[], []];
  for (const work of works) {
    const taken = Math.min(work.credits, left);
    left -= taken;
    const items = work.credits === 0 ? work.items : Math.round((work.items * taken) / work.credits);
    add(parts[0], { ...work, credits: taken, items });
    add(parts[1], { ...work, credits: work.credits - taken, items: work.items - items });
  }
  return [
    { credits: first, works: parts[0] },
    { credits: credits - first, works: parts[1] },
  ];
}

function add(works: UsedWork[], work: UsedWork): void {
  if (work.credits > 0 || work.items > 0) works.push(work);
}
