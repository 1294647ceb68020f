import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Claim } from '../platform/http/claim.js';
import { WebhookBell } from '../platform/queue/webhook-bell.js';

/** Changes endpoints and deliveries, and wakes a worker once the change is committed. */
@Injectable()
export class WebhookChangesService {
  constructor(
    private readonly database: DataSource,
    private readonly bell: WebhookBell,
  ) {}

  /** With the claim of an idempotency key the change is committed with the reply that is kept. */
  async change<T>(work: (tx: EntityManager) => Promise<T>, claim: Claim | null): Promise<T> {
    if (claim !== null) {
      claim.afterCommit(() => this.bell.ring(1));
      return claim.transaction(work);
    }
    const result = await this.database.transaction(work);
    await this.bell.ring(1);
    return result;
  }
}
