import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CreditsService, type Reservation } from '../credits/credits.service.js';
import type { Payer } from '../keys/principal.js';
import { CREDIT_PRICES, type CreditPrices } from '../platform/config/policies.js';
import { addToOutbox, type EventType } from '../platform/outbox/outbox.js';
import { WebhookBell } from '../platform/queue/webhook-bell.js';
import { batchBody } from './batch-body.js';
import type { Batch, BatchKind } from './batch.lifecycle.js';
import { BatchStore } from './batch.store.js';

type Ending = 'complete' | 'fail' | 'cancel';

const EVENTS: Readonly<Record<Ending, EventType>> = {
  complete: 'batch.completed',
  fail: 'batch.failed',
  cancel: 'batch.cancelled',
};

/** What a batch is charged, and how it ends: its state, its credits and the event that tells of it are one transaction. */
@Injectable()
export class BatchSettlementService {
  constructor(
    private readonly batches: BatchStore,
    private readonly credits: CreditsService,
    private readonly bell: WebhookBell,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
  ) {}

  /** The most that the batch may cost. @throws AppError `credits_insufficient`, `daily_capacity_exhausted` */
  reserve(tx: EntityManager, payer: Payer, rows: number, kind: BatchKind): Promise<Reservation> {
    const amountCredits = rows * this.prices[kind].costCredits;
    return this.credits.reserveIn(tx, payer, { amountCredits, purpose: 'batch', workMs: null });
  }

  /** @throws Error when the reservation holds less: then nothing of the transaction may stay */
  async charge(tx: EntityManager, batch: Batch, charged: number): Promise<void> {
    const reservation = reservationOf(batch);
    if (reservation === null || charged === 0) return;
    if (!(await this.credits.settlePart(tx, reservation, charged)))
      throw new Error(`the reservation of batch ${batch.id} does not hold ${charged} credits`);
  }

  /** @returns the ended batch; null when it had ended before, and nothing was done */
  async end(tx: EntityManager, batch: Batch, ending: Ending, at: Date): Promise<Batch | null> {
    if (!(await this.batches.finish(tx, batch.id, ending, at))) return null;
    const reservation = reservationOf(batch);
    if (reservation !== null) await this.credits.settleIn(tx, reservation, 0);
    const ended = (await this.batches.lock(tx, batch.id))!;
    const { accountId, simulated, id: batchId, webhookUrl: url } = ended;
    const data = batchBody(ended, at.getTime());
    await addToOutbox(tx, { accountId, simulated, type: EVENTS[ending], at, data, batchId, url });
    return ended;
  }

  /** Call when the end is committed. Never rejects. */
  async tell(): Promise<void> {
    await this.bell.ring(1);
  }
}

function reservationOf({ reservationId, creditSource }: Batch): Pick<Reservation, 'id' | 'source'> | null {
  if (reservationId === null || creditSource === null || creditSource === 'unpaid') return null;
  return { id: reservationId, source: creditSource };
}
