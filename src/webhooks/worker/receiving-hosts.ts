import { Inject, Injectable } from '@nestjs/common';
import { clientNetwork } from '../../keys/scope/networks.js';
import { WEBHOOK_RETRIES, type WebhookRetries } from '../../platform/config/policies.js';
import { type Limit, Limiter } from '../../platform/redis/limits.js';

/** The share of a host's rate that one account may use: the rest stays for other accounts. */
const ACCOUNT_SHARE = 0.5;

/** The shortest wait of a refused delivery before it asks again, so that asking costs less than sending. */
const MIN_WAIT_MS = 1_000;

/**
 * Limits what one receiving host gets from all accounts over all processes, so that no account can make us flood a stranger. A host is an
 * IPv4 address or a /64 of IPv6, whatever names and ports lead to it: an account has as many names as it likes.
 */
@Injectable()
export class ReceivingHosts {
  constructor(
    private readonly limiter: Limiter,
    @Inject(WEBHOOK_RETRIES) private readonly rates: Pick<WebhookRetries, 'hostPerSecond' | 'hostBurst'>,
  ) {}

  /**
   * @param address that the delivery will be sent to
   * @returns how many milliseconds the delivery has to wait; 0: it is counted and may be sent
   */
  async admit(accountId: string, address: string): Promise<number> {
    const host = clientNetwork(address);
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
