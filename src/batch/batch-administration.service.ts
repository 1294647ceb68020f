import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CreditsService } from '../credits/credits.service.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import {
  CREDIT_PRICES,
  type CreditPrices,
  KEY_POLICIES,
  type KeyPolicies,
  type PolicyName,
} from '../platform/config/policies.js';
import { AppError } from '../platform/errors/app-error.js';
import { Listing, type Page, type PageQuery } from '../platform/http/page.js';
import { BatchAdministrationStore } from './batch-administration.store.js';
import { type Batch, type BatchState, statesBefore } from './batch.lifecycle.js';
import { BatchStore } from './batch.store.js';

export type { Batch, BatchState };

const ALL_BATCHES = new Listing('all-batches', 'integer');

/** What administrators do about batches, whosever they are. Needs no Redis: the sweep of a worker finds what was queued again. */
@Injectable()
export class BatchAdministrationService {
  constructor(
    private readonly store: BatchAdministrationStore,
    private readonly batches: BatchStore,
    private readonly credits: CreditsService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first. */
  list(accountId: string | null, state: BatchState | null, query: PageQuery): Promise<Page<Batch>> {
    return ALL_BATCHES.page(
      query,
      (request) => this.store.list(accountId, state, request),
      ({ createdAt, id }) => ({ at: createdAt, id: String(id) }),
    );
  }

  /**
   * Goes on with a batch that a fault of ours has ended: what is answered stays, and what the rest may cost is reserved again.
   * @throws AppError `batch_not_found`; `state_conflict` when it has not failed; `credits_insufficient`
   */
  async retry(tx: EntityManager, id: number): Promise<Batch> {
    const batch = await this.batches.lock(tx, id);
    if (batch === null || batch.state === 'receiving') throw new AppError('batch_not_found');
    if (!statesBefore('retry').includes(batch.state))
      throw new AppError('state_conflict', {
        message: `The batch is ${batch.state}: only a failed one is begun again.`,
      });
    const { keyId, accountId, simulated } = batch;
    const payer = { keyId, accountId, simulated, policy: this.policies[batch.policy as PolicyName] };
    const amountCredits = (await this.store.countOpen(tx, id)) * this.prices[batch.kind].costCredits;
    const { id: reservationId, source } = await this.credits.reserveIn(tx, payer, {
      amountCredits,
      purpose: 'batch',
      workMs: null,
    });
    const reserved = { reservationId: source === 'unpaid' ? null : reservationId, creditSource: source };
    await this.store.requeue(tx, id, reserved, new Date(this.clock.now()));
    return (await this.batches.lock(tx, id))!;
  }
}
