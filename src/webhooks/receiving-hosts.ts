import { Inject, Injectable } from '@nestjs/common';
import { WEBHOOK_RETRIES, type WebhookRetries } from '../platform/config/policies.js';
import { type Limit, RateLimiter } from '../platform/redis/rate-limiter.js';
import type { DueDelivery } from './webhook-work.store.js';

/** Of what a host may get, one account has at most this part: whatever it sends, the rest is there for others. */
const ACCOUNT_PART = 0.5;

/** Those who wait for a host ask again after this long at the earliest, so that asking costs less than sending. */
const LEAST_WAIT_MS = 1_000;

/** How much one receiving host gets from all accounts over all processes: nobody can have us flood a stranger. */
@Injectable()
export class ReceivingHosts {
  constructor(
    private readonly limiter: RateLimiter,
    @Inject(WEBHOOK_RETRIES) private readonly rates: Pick<WebhookRetries, 'hostPerSecond' | 'hostBurst'>,
  ) {}

  /** @returns how many milliseconds the delivery has to wait; 0: it is counted and may be sent */
  async admit({ accountId, url }: Pick<DueDelivery, 'accountId' | 'url'>): Promise<number> {
    // A name means the same host with the root's dot and without it.
    const host = new URL(url).host.replace(/\.(?=:|$)/, '');
    const { refusedBy, states } = await this.limiter.admit([
      this.bucket(`webhooks:${host}`, 1),
      this.bucket(`webhooks:${host}:${accountId}`, ACCOUNT_PART),
    ]);
    return refusedBy === null ? 0 : Math.max(LEAST_WAIT_MS, ...states.map(({ resetMs }) => resetMs));
  }

  private bucket(key: string, part: number): Limit {
    const { hostPerSecond, hostBurst } = this.rates;
    return { kind: 'bucket', key, perSecond: hostPerSecond * part, burst: Math.ceil(hostBurst * part) };
  }
}
