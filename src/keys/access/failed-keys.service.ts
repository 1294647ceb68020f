import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ENV, type Env } from '../../platform/config/env.js';
import { AppError } from '../../platform/errors/app-error.js';
import { isOutage } from '../../platform/errors/outage.js';
import { RateLimiter } from '../../platform/redis/rate-limiter.js';
import { clientNetwork } from '../scope/networks.js';

const WINDOW_MS = 60_000;

/** About 200 bytes each. */
const MAX_NETWORKS = 10_000;

/**
 * How often one client network may send keys that are no good, over all processes. Good keys are not counted and go on working from
 * the same network, so no caller shuts out the neighbours; and good keys cost nothing here.
 */
@Injectable()
export class FailedKeysService {
  /** Networks that may not fail now, with the time when they may again: until then Redis need not be asked. 0: Redis was away. */
  private readonly suspects = new LRUCache<string, number>({
    max: MAX_NETWORKS,
    perf: { now: () => performance.now() },
  });

  constructor(
    private readonly limiter: RateLimiter,
    @Inject(ENV) private readonly env: Env,
  ) {}

  isSuspect(clientAddress: string): boolean {
    return this.suspects.size > 0 && this.suspects.has(clientNetwork(clientAddress));
  }

  /**
   * Counts nothing while Redis is away, so that the caller still learns what is wrong with the key; its network is a suspect all the same.
   * @throws AppError `rate_limited` when the network has failed as often as it may
   */
  async count(clientAddress: string): Promise<void> {
    const network = clientNetwork(clientAddress);
    const until = this.suspects.get(network);
    if (until) throw limited(until - performance.now());
    const waitMs = await this.ask(network);
    if (waitMs === 0) return;
    this.suspects.set(network, performance.now() + waitMs, { ttl: waitMs });
    throw limited(waitMs);
  }

  /** @returns the milliseconds until the network may fail again; 0: it may now, and this is counted */
  private async ask(network: string): Promise<number> {
    const requests = this.env.failedKeysPerMinute;
    const limit = { kind: 'window', key: `failed-keys:${network}`, requests, windowMs: WINDOW_MS } as const;
    try {
      const { refusedBy, waitMs } = await this.limiter.admit([limit]);
      return refusedBy === null ? 0 : Math.max(1, waitMs);
    } catch (error) {
      if (!isOutage(error)) throw error;
      this.suspects.set(network, 0, { ttl: WINDOW_MS });
      return 0;
    }
  }
}

function limited(waitMs: number): AppError {
  return new AppError('rate_limited', { message: MESSAGE, retryAfterSeconds: waitMs / 1000 });
}

const MESSAGE = 'Too many requests from your network had an API key that is not valid. Valid keys work all the same.';
