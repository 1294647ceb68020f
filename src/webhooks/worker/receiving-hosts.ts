import { Inject, Injectable } from '@nestjs/common';
import { WEBHOOK_RETRIES, type WebhookRetries } from '../../platform/config/policies.js';
import type { Limit } from '../../platform/redis/limits.js';
import { RateLimiter } from '../../platform/redis/rate-limiter.js';
import type { DueDelivery } from './webhook-worker.store.js';

/** The share of a host's rate that one account may use: the rest stays for other accounts. */
const ACCOUNT_SHARE = 0.5;

/** The shortest wait of a refused delivery before it asks again, so that asking costs less than sending. */
const MIN_WAIT_MS = 1_000;

/** Limits what one receiving host gets from all accounts over all processes, so that no account can make us flood a stranger. */
@Injectable()
export class ReceivingHosts {
  constructor(
    private readonly limiter: RateLimiter,
    @Inject(WEBHOOK_RETRIES) private readonly rates: Pick<WebhookRetries, 'hostPerSecond' | 'hostBurst'>,
  ) {}

  /** @returns how many milliseconds the delivery has to wait; 0: it is counted and may be sent */
  async admit({ accountId, url }: Pick<DueDelivery, 'accountId' | 'url'>): Promise<number> {
    // A name means the same host with the dot of the DNS root and without it.
    const host = new URL(url).host.replace(/\.(?=:|$)/, '');
    const { refusedBy, waitMs } = await this.limiter.admit([
      this.bucket(`webhooks:{${host}}`, 1),
      this.bucket(`webhooks:{${host}}:${accountId}`, ACCOUNT_SHARE),
    ]);
    return refusedBy === null ? 0 : Math.max(MIN_WAIT_MS, waitMs);
  }

  private bucket(key: string, share: number): Limit {
    const { hostPerSecond, hostBurst } = this.rates;
    return { kind: 'bucket', key, perSecond: hostPerSecond * share, burst: Math.ceil(hostBurst * share) };
  }
}
