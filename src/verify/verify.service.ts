import { Inject, Injectable } from '@nestjs/common';
import { CreditsService, type Reservation } from '../credits/credits.service.js';
import { chargeFor } from '../credits/prices.js';
import type { Engine } from '../engine/index.js';
import type { Verification } from '../engine/types.js';
import type { Principal } from '../keys/principal.js';
import { CREDIT_PRICES, type CreditPrices } from '../platform/config/policies.js';
import { ENGINE } from './engine.provider.js';

export interface VerifiedAddress {
  readonly verification: Verification;
  readonly creditsCharged: number;
  readonly latencyMs: number;
}

/** One verification and its credit. */
@Injectable()
export class VerifyService {
  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    private readonly credits: CreditsService,
  ) {}

  /**
   * Goes on to its end when the caller hangs up, and charges: the mail hosts were asked.
   * @throws AppError `credits_insufficient`, `daily_capacity_exhausted`; a fault of the engine costs nothing
   */
  async verify(principal: Principal, email: string, budgetMs: number): Promise<VerifiedAddress> {
    const startedAt = performance.now();
    const reservation = await this.credits.reserve(principal, this.prices.verify.costCredits, budgetMs);
    const verification = await this.askEngine(email, budgetMs, reservation);
    const charge = chargeFor(this.prices.verify, principal.policy, verification.verdict);
    const creditsCharged = await this.credits.settle(reservation, charge);
    return { verification, creditsCharged, latencyMs: Math.round(performance.now() - startedAt) };
  }

  private async askEngine(email: string, budgetMs: number, reservation: Reservation): Promise<Verification> {
    try {
      return await this.engine.verify(email, { budgetMs });
    } catch (fault) {
      await this.credits.release(reservation);
      throw fault;
    }
  }
}
