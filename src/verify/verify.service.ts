import { Inject, Injectable } from '@nestjs/common';
import { CreditsService, type Reservation } from '../credits/credits.service.js';
import { chargeFor } from '../credits/prices.js';
import type { Finding, Verification } from '../engine/index.js';
import type { Principal } from '../keys/principal.js';
import { CREDIT_PRICES, type CreditPrices } from '../platform/config/policies.js';
import type { Claim } from '../platform/http/claim.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import { MailWorlds } from './mail-worlds.js';

export interface VerifiedAddress {
  readonly verification: Verification;
  /** Whether its owner asked not to be found; left out for accounts that do not want to hear it. */
  readonly suppressed?: boolean;
  /** In a batch of people: the search that it ended. */
  readonly found?: { readonly finding: Finding; readonly domain: string };
  readonly creditsCharged: number;
  readonly latencyMs: number;
}

/** One verification and its credit. */
@Injectable()
export class VerifyService {
  constructor(
    private readonly worlds: MailWorlds,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    private readonly credits: CreditsService,
    private readonly suppressions: SuppressionsService,
  ) {}

  /**
   * Goes on to its end when the caller hangs up, and charges: the mail hosts were asked.
   * With the claim of an idempotency key it charges when its reply is kept. A test key asks the simulated world, and its credits are not touched.
   * @throws AppError `credits_insufficient`, `daily_capacity_exhausted`; a fault of the engine costs nothing
   */
  async verify(
    principal: Principal,
    email: string,
    budgetMs: number,
    claim: Claim | null = null,
  ): Promise<VerifiedAddress> {
    const startedAt = performance.now();
    this.worlds.checkRefusals(principal, [email]);
    // The agents' shape has no place for it.
    const suppressed = principal.policy.shape === 'flat' ? await this.suppressions.reportOf(principal, email) : null;
    const wanted = { amountCredits: this.prices.verify.costCredits, purpose: 'verify', workMs: budgetMs } as const;
    const reservation = await this.credits.reserve(principal, wanted);
    const verification = await this.askEngine(principal, email, budgetMs, reservation);
    const charge = chargeFor(this.prices.verify, principal.policy, verification.verdict);
    const creditsCharged = await this.credits.settle(reservation, charge, claim);
    const latencyMs = Math.round(performance.now() - startedAt);
    return { verification, creditsCharged, latencyMs, ...(suppressed !== null && { suppressed }) };
  }

  private async askEngine(
    principal: Principal,
    email: string,
    budgetMs: number,
    reservation: Reservation,
  ): Promise<Verification> {
    try {
      return await this.worlds.engineOf(principal).verify(email, { budgetMs });
    } catch (fault) {
      await this.credits.release(reservation);
      throw fault;
    }
  }
}
