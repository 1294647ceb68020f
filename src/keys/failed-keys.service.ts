import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ENV, type Env } from '../platform/config/env.js';
import { AppError } from '../platform/errors/app-error.js';
import { RateLimiter } from '../platform/redis/rate-limiter.js';
import { clientNetwork } from './client-network.js';

const WINDOW_MS = 60_000;

/** About 200 bytes each. */
const MOST_NETWORKS = 10_000;

/**
 * How often one client network may send keys that are no good, over all processes. Good keys are not counted and go on working from
 * the same network, so nobody shuts out his neighbours; and they cost nothing here.
 */
@Injectable()
export class FailedKeysService {
  /** Networks whose minute is used up, with the time when they may fail again: until then Redis need not be asked. */
  private readonly exhausted = new LRUCache<string, number>({
    max: MOST_NETWORKS,
    perf: { now: () => performance.now() },
  });

  constructor(
    private readonly limiter: RateLimiter,
    @Inject(ENV) private readonly env: Env,
  ) {}

  isExhausted(clientAddress: string): boolean {
    return this.exhausted.size > 0 && this.exhausted.has(clientNetwork(clientAddress));
  }

  /** @throws AppError `rate_limited` when the network has failed as often as it may */
  async count(clientAddress: string): Promise<void> {
    const network = clientNetwork(clientAddress);
    const until = this.exhausted.get(network);
    if (until !== undefined) throw limited(until - performance.now());
    const requests = this.env.failedKeysPerMinute;
    const { refusedBy, states } = await this.limiter.admit([
      { kind: 'window', key: `failed-keys:${network}`, requests, windowMs: WINDOW_MS },
    ]);
    if (refusedBy === null) return;
    const waitMs = Math.max(1, states[0]!.resetMs);
    this.exhausted.set(network, performance.now() + waitMs, { ttl: waitMs });
    throw limited(waitMs);
  }
}

function limited(waitMs: number): AppError {
  return new AppError('rate_limited', { message: MESSAGE, retryAfterSeconds: waitMs / 1000 });
}

const MESSAGE = 'Too many requests from your network had an API key that is not valid. Valid keys work all the same.';
