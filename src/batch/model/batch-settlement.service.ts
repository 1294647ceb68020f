import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Reservation, CreditRequest } from '../../credits/credit-source.js';
import type { UsedWork } from '../../credits/usage/used-work.js';
import { countCharged, CreditsService } from '../../credits/credits.service.js';
import { checkMaxCredits } from '../../credits/max-credits.js';
import { chargeFor } from '../../credits/prices.js';
import type { Payer } from '../../keys/access/principal.js';
import {
  CREDIT_PRICES,
  type CreditPrices,
  KEY_POLICIES,
  type KeyPolicies,
  policyNamed,
} from '../../platform/config/policies.js';
import { addToOutbox, type EventType } from '../../events/outbox.js';
import type { AppError } from '../../platform/errors/app-error.js';
import { WorkNotifier } from '../../platform/queue/work-notifier.js';
import { type Finding, isFound } from '../../finder/finder.service.js';
import { countVerifications, outcomeOf } from '../../verify/verification-outcome.js';
import type { Verification } from '../../engine/types.js';
import { WEBHOOK_QUEUE } from '../../webhooks/webhook-queue.js';
import { type Batch, BATCH_QUEUE, type BatchKindName } from './batch.js';
import { batchStatus, kindOf } from './batch-kind.js';
import { BatchStore } from './batch.store.js';
import { CHUNK_SIZE } from './row-ref.js';

type Ending = 'complete' | 'fail' | 'cancel';

const EVENTS: Readonly<Record<Ending, EventType>> = {
  complete: 'batch.completed',
  fail: 'batch.failed',
  cancel: 'batch.cancelled',
};

/** What tells the price of a batch before it is worked. */
export interface PricedWork {
  readonly kind: BatchKindName;
  /** The policy by which its results will be charged. */
  readonly policy: string;
  /** Distinct addresses or people that have to be answered. */
  readonly items: number;
  /** Those of them that are malformed, as far as they were counted. */
  readonly malformed: number;
}

/** The work for which a batch reserves credits. */
export interface BatchOrder extends PricedWork {
  readonly id: number;
  /** The most that they may cost; null: whatever they cost. */
  readonly maxCredits: number | null;
}

/** What a batch has reserved, as its row says it. */
export type Reserved = Pick<Batch, 'reservationId' | 'creditSource' | 'creditsReserved'>;

export const NOTHING_RESERVED: Reserved = { reservationId: null, creditSource: null, creditsReserved: 0 };

export function reservedBy({ id, source, amountCredits }: Reservation): Reserved {
  if (source === 'none') return { ...NOTHING_RESERVED, creditSource: source };
  return { reservationId: id, creditSource: source, creditsReserved: amountCredits };
}

interface EndedBatch {
  readonly batch: Batch;
  /** Endpoints are to be told: the caller does so by `tell` when the end is committed. */
  readonly isTold: boolean;
}

/** A batch that has just been completed, with its last charge, which its counters hold already. */
interface ChargedBatch {
  readonly batch: Batch;
  readonly charged: number;
  readonly works: readonly UsedWork[];
  /** An endpoint may have to be told. */
  readonly isHeard: boolean;
}

/**
 * Reserves and charges the credits of a batch, and ends it: state, credits and the event in the outbox change in one transaction.
 *
 * Order of locks: the row of `batches` before credits. `charge` and `end` are called with that row locked or updated.
 */
@Injectable()
export class BatchSettlementService {
  constructor(
    private readonly batches: BatchStore,
    private readonly credits: CreditsService,
    private readonly notifier: WorkNotifier,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  /** The most that a batch may cost. */
  costOf({ kind, policy, items, malformed }: PricedWork): number {
    const price = this.prices[kind];
    const forMalformed = chargeFor(price, policyNamed(this.policies, policy), kindOf({ kind }).malformedOutcome);
    return (items - malformed) * price.costCredits + malformed * forMalformed;
  }

  /** Credits that a finding of this batch costs. */
  priceOfFinding({ simulated, policy }: Batch, finding: Finding): number {
    if (simulated) return 0;
    return chargeFor(this.prices.find, policyNamed(this.policies, policy), isFound(finding) ? 'found' : 'not_found');
  }

  /** Credits that a result of this batch costs. */
  priceOf({ simulated, policy }: Batch, verification: Verification): number {
    return simulated ? 0 : chargeFor(this.prices.verify, policyNamed(this.policies, policy), outcomeOf(verification));
  }

  /**
   * Reserves the most that the batch may cost; nothing when it costs nothing.
   * @throws AppError `ceiling_reached`, `credits_insufficient`, `daily_capacity_exhausted`
   */
  reserve(tx: EntityManager, payer: Payer, work: BatchOrder): Promise<Reservation> {
    return this.credits.reserveIn(tx, payer, this.creditsFor(work));
  }

  /** Whether the credits of this work can be reserved together with those of others. @throws AppError `ceiling_reached` */
  isShared(payer: Payer, work: BatchOrder): boolean {
    const cost = this.costOf(work);
    checkMaxCredits(cost, work.maxCredits);
    return cost > 0 && this.credits.isShared(payer);
  }

  /** Reserves for several works that `isShared` allows. @returns for each its reservation, or why there is none */
  reserveShared(
    tx: EntityManager,
    wanted: readonly { readonly payer: Payer; readonly work: BatchOrder }[],
  ): Promise<(Reservation | AppError)[]> {
    return this.credits.reserveSharedIn(
      tx,
      wanted.map(({ payer, work }) => ({ payer, credits: this.creditsFor(work) })),
    );
  }

  private creditsFor(work: BatchOrder): CreditRequest {
    const { id: batchId, maxCredits } = work;
    return { amountCredits: this.costOf(work), maxCredits, workMs: null, batchId, purpose: 'batch' };
  }

  /** The day from which free credits alone pay for the batch; null: others do. */
  async dayOf(tx: EntityManager, batch: Batch): Promise<string | null> {
    const reservation = reservationOf(batch);
    return reservation && this.credits.dayOf(tx, reservation);
  }

  /**
   * @param works what was done, for the usage
   * @throws Error when the reservation holds less: then the caller's transaction is rolled back
   */
  async charge(tx: EntityManager, batch: Batch, charged: number, works: readonly UsedWork[]): Promise<void> {
    const reservation = reservationOf(batch);
    if (reservation === null) return;
    if (!(await this.credits.settlePart(tx, reservation, charged, works)))
      throw new Error(`the reservation of batch ${batch.id} does not hold ${charged} credits`);
  }

  /**
   * Ends the batch and releases the credits that it was not charged. @returns the batch, and whether endpoints are to be told; null when it had
   * ended before, and nothing was done
   */
  async end(tx: EntityManager, { id }: Batch, ending: Ending, at: Date): Promise<EndedBatch | null> {
    const batch = await this.batches.finish(tx, id, ending, at);
    return batch && { batch, isTold: await this.settle(tx, batch, { charged: 0, works: [] }, ending, at) };
  }

  /**
   * Settles a batch that has just ended: charges the last credits, which its counters hold already, releases the others and writes the
   * event.
   * @returns whether endpoints are to be told
   * @throws Error when the reservation had ended: then the caller's transaction is rolled back
   */
  async settle(
    tx: EntityManager,
    batch: Batch,
    { charged, works }: { readonly charged: number; readonly works: readonly UsedWork[] },
    ending: Ending,
    at: Date,
  ): Promise<boolean> {
    const reservation = reservationOf(batch);
    if (reservation !== null) {
      const isHeld = batch.creditsCharged <= batch.creditsReserved;
      if (!isHeld || (await this.credits.settleIn(tx, reservation, charged, works)) < charged)
        throw new Error(`the reservation of batch ${batch.id} does not hold ${charged} credits`);
    }
    return this.addEvent(tx, batch, ending, at);
  }

  /**
   * The same for completed batches whose credits come from balances, or that cost nothing.
   * @throws Error when one of their reservations had ended, or holds less: then the caller's transaction is rolled back
   */
  async settleCompleted(tx: EntityManager, completed: readonly ChargedBatch[], at: Date): Promise<boolean> {
    const endings = completed.flatMap(({ batch, charged, works }) => {
      const reservation = reservationOf(batch);
      return reservation === null ? [] : [{ id: reservation.id, charged, works }];
    });
    const overcharged = completed.filter(
      ({ batch }) => reservationOf(batch) !== null && batch.creditsCharged > batch.creditsReserved,
    );
    const settled = endings.length === 0 ? [] : await this.credits.settleBalancesIn(tx, endings);
    if (overcharged.length > 0 || settled.includes(false))
      throw new Error('a reservation of a completed batch does not hold what it cost');
    let isTold = false;
    for (const { batch, isHeard } of completed)
      if (isHeard && (await this.addEvent(tx, batch, 'complete', at))) isTold = true;
    return isTold;
  }

  /** @returns whether endpoints are to be told */
  private async addEvent(tx: EntityManager, batch: Batch, ending: Ending, at: Date): Promise<boolean> {
    const { accountId, simulated, id: batchId, webhookUrl: url } = batch;
    const data = batchStatus(batch, at.getTime());
    const deliveries = await addToOutbox(tx, { accountId, simulated, type: EVENTS[ending], at, data, batchId, url });
    return deliveries.length > 0;
  }

  /** Counts what was done: for its usage where nothing was reserved, and for the numbers of this process. Called when it is committed. */
  countWork({ accountId, keyId, simulated, kind, creditSource }: Batch, works: readonly UsedWork[]): void {
    if (simulated || creditSource === 'none')
      this.credits.countFree({ accountId, keyId, simulated, endpoint: 'batch' }, works);
    if (simulated) return;
    countVerifications(works, kind === 'find' ? 'finder' : 'batch');
    const charged = works.reduce((sum, { credits }) => sum + credits, 0);
    if (creditSource !== null) countCharged(creditSource, charged);
  }

  /** Lets workers look for the chunks of a batch that has been queued. */
  async wakeWorkers({ uniqueAddresses }: Pick<Batch, 'uniqueAddresses'>): Promise<void> {
    await this.notifier.notify(BATCH_QUEUE, Math.ceil(uniqueAddresses / CHUNK_SIZE));
  }

  /** Wakes the senders of webhooks. Called when the end is committed; never rejects. */
  async tell(): Promise<void> {
    await this.notifier.notify(WEBHOOK_QUEUE);
  }
}

function reservationOf({ reservationId, creditSource }: Batch): Pick<Reservation, 'id' | 'source'> | null {
  if (reservationId === null || creditSource === null || creditSource === 'none') return null;
  return { id: reservationId, source: creditSource };
}
