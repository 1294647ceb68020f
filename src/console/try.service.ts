import { Inject, Injectable } from '@nestjs/common';
import { MINUTE_MS } from '../lib/durations.js';
import { clientNetwork } from '../keys/scope/networks.js';
import { ENV, type Env } from '../platform/config/env.js';
import { AppError } from '../platform/errors/app-error.js';
import { Limiter } from '../platform/redis/limits.js';
import { FullPresenter } from '../presenting/full.presenter.js';
import { EngineSelector } from '../verify/engine-selector.js';

/** The simulated world answers at once. */
const BUDGET_MS = 1_000;

/** Verdicts without a key: from the simulated world only, so that nobody is asked, nothing is charged and nothing is kept. */
@Injectable()
export class TryService {
  constructor(
    private readonly engines: EngineSelector,
    private readonly limiter: Limiter,
    private readonly presenter: FullPresenter,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /**
   * @param clientAddress the caller's IP address, from trusted proxies only
   * @throws AppError `rate_limited`
   */
  async verify(email: string, clientAddress: string, requestId: string): Promise<object> {
    await this.admit(clientNetwork(clientAddress));
    const startedAt = performance.now();
    const verification = await this.engines.engineOf({ simulated: true }).verify(email, { budgetMs: BUDGET_MS });
    const latencyMs = Math.round(performance.now() - startedAt);
    return this.presenter.verification({ verification, creditsCharged: 0, latencyMs }, requestId);
  }

  private async admit(network: string): Promise<void> {
    const limit = { kind: 'window', requests: this.env.triesPerMinute, windowMs: MINUTE_MS } as const;
    const { refusedBy, waitMs } = await this.limiter.admit([{ ...limit, key: `try:${network}` }]);
    if (refusedBy !== null) throw new AppError('rate_limited', { retryAfterSeconds: waitMs / 1000 });
  }
}
