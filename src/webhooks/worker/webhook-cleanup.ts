import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '../../lib/durations.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { PeriodicJob } from '../../platform/periodic-job.js';
import { EndpointSecrets } from '../endpoint-secrets.js';
import { EndpointStore, type SealedSecrets } from '../endpoint.store.js';
import { DataSource } from 'typeorm';

const EVERY_MS = 60_000;
/** The shortest retention of events, longer than the schedule of a delivery, which takes more than three days. */
const MIN_DAYS = 7;
const PAGE_SIZE = 500;

/** Every minute deletes events past their retention, and seals secrets again when `SECRETS_KEY` has changed. */
@Injectable()
export class WebhookCleanup extends PeriodicJob {
  constructor(
    private readonly database: DataSource,
    private readonly endpoints: EndpointStore,
    private readonly secrets: EndpointSecrets,
    @Inject(ENV) private readonly env: Env,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('the cleanup of webhooks was interrupted', { everyMs: EVERY_MS, timer });
  }

  /** @returns how many events were deleted */
  async deleteExpired(): Promise<number> {
    const before = new Date(this.clock.now() - Math.max(MIN_DAYS, this.env.retentionDays) * DAY_MS);
    let deleted = 0;
    for (let some = PAGE_SIZE; some === PAGE_SIZE; deleted += some) some = await this.deleteEvents(before, PAGE_SIZE);
    await this.deleteEndpointsOfBatches(before, PAGE_SIZE);
    return deleted;
  }

  /** @returns how many endpoints had secrets sealed with an older key */
  async resealSecrets(): Promise<number> {
    const stale = await this.endpoints.findSealedBefore(this.secrets.prefix, PAGE_SIZE);
    for (const endpoint of stale) {
      await this.reseal(endpoint).catch((error: Error) =>
        this.logger.error(`a secret was not sealed again: ${error.message}`),
      );
    }
    return stale.length;
  }

  private async reseal({ id, secret, previousSecret }: SealedSecrets): Promise<void> {
    const sealAgain = (sealed: Buffer) => this.secrets.seal(id, this.secrets.open(id, sealed));
    await this.endpoints.reseal(id, secret, sealAgain(secret), previousSecret && sealAgain(previousSecret));
  }

  async run(): Promise<void> {
    await this.deleteExpired();
    await this.resealSecrets();
  }

  /** Their deliveries and attempts go with them. @returns how many */
  private async deleteEvents(before: Date, limit: number): Promise<number> {
    const [, deleted]: [unknown, number] = await this.database.query(
      `DELETE FROM webhook_events WHERE id = ANY (ARRAY(
         SELECT id FROM webhook_events WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
    return deleted;
  }

  /** Endpoints that batches created, once no batch names them and no delivery refers to them. */
  private async deleteEndpointsOfBatches(before: Date, limit: number): Promise<void> {
    await this.database.query(
      `DELETE FROM webhook_endpoints WHERE id = ANY (ARRAY(
         SELECT id FROM webhook_endpoints e
          WHERE created_via = 'batch' AND created_at < $1
            AND NOT EXISTS (SELECT FROM batches b WHERE b.account_id = e.account_id AND b.webhook_url = e.url)
            AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id)
          LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
  }
}
