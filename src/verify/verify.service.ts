import { Inject, Injectable } from '@nestjs/common';
import type { Reservation } from '../credits/credit-source.js';
import { CreditsService } from '../credits/credits.service.js';
import { chargeFor } from '../credits/prices.js';
import { restsOnDenial } from '../engine/judge/denied-domain.js';
import { parseAddress } from '../engine/syntax/address.js';
import type { Verification } from '../engine/types.js';
import type { IdempotencyClaim } from '../idempotency/idempotency-claim.js';
import { ownerOf } from '../keys/access/owner.js';
import { getAccountId, type Principal } from '../keys/access/principal.js';
import { CREDIT_PRICES, type CreditPrices } from '../platform/config/policies.js';
import type { VerifiedAddress } from '../presenting/presenter.js';
import { type ReportedDenial, ReportedDenials } from '../resolver/reported-denials.js';
import { givenAgain } from '../reuse/cached-verdict.js';
import { RecentVerdicts } from '../reuse/recent-verdicts.js';
import { ReuseService } from '../reuse/reuse.service.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import { EngineSelector } from './engine-selector.js';
import { countVerifications, outcomeOf, writeDialogue } from './verification-outcome.js';

/** Gives verdicts of single requests again. */
@Injectable()
export class ReusedVerdictsService {
  constructor(
    private readonly engines: EngineSelector,
    private readonly kept: ReuseService,
    private readonly recent: RecentVerdicts,
  ) {}

  /** The account's own verdict of the address that is at most `days` old; null when there is none. */
  async find(principal: Principal, email: string, days: number): Promise<Verification | null> {
    const owner = ownerOf(principal);
    await this.recent.flushOf(owner);
    const kept = await this.kept.find(owner, email, days);
    return kept && givenAgain(kept, this.engines.engineOf(principal).read(email, kept.takesNoMail));
  }

  /** @param isAsked the request asked for reuse: its verdict is there when it is answered; that of another one soon after */
  async keep(principal: Principal, verification: Verification, isAsked: boolean): Promise<void> {
    const owner = ownerOf(principal);
    const address = verification.normalizedEmail ?? verification.email;
    if (isAsked) await this.recent.keep(owner, address, verification);
    else this.recent.add(owner, address, verification);
  }
}

/** One address to verify. */
interface VerificationRequest {
  readonly email: string;
  readonly budgetMs: number;
  /** The most that it may cost; null: whatever it costs. */
  readonly maxCredits: number | null;
  /** How old a verdict may be that is given again for nothing; 0, the default: the engine is asked. */
  readonly reuseDays?: number;
  /** By which door it came; over HTTP where nothing is said. */
  readonly via?: 'single' | 'mcp';
}

/** Verifies one address and settles its credit. */
@Injectable()
export class VerifyService {
  constructor(
    private readonly engines: EngineSelector,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    private readonly credits: CreditsService,
    private readonly suppressions: SuppressionsService,
    private readonly reused: ReusedVerdictsService,
    private readonly denials: ReportedDenials,
  ) {}

  /**
   * Goes on to its end when the caller hangs up, and charges: the mail hosts were asked.
   * With an idempotency claim it charges when its reply is kept. A test key gets the simulated engine, and its credits are not touched.
   * @throws AppError `ceiling_reached`, `credits_insufficient`, `daily_capacity_exhausted`; a fault of the engine costs nothing
   */
  async verify(
    principal: Principal,
    { email, budgetMs, maxCredits, reuseDays = 0, via = 'single' }: VerificationRequest,
    claim: IdempotencyClaim | null = null,
  ): Promise<VerifiedAddress> {
    const startedAt = performance.now();
    this.engines.checkRefusals(principal, [email]);
    const suppressed = await this.suppressions.reportOf(principal, email);
    const timed = () => ({
      latencyMs: Math.round(performance.now() - startedAt),
      ...(suppressed !== null && { suppressed }),
    });
    const again = reuseDays === 0 ? null : await this.reused.find(principal, email, reuseDays);
    if (again !== null) return { verification: again, creditsCharged: 0, ...timed() };
    // What is no address is told by its text alone, so nothing is held for it where it costs nothing.
    const foreseen = parseAddress(email).ok ? null : 'malformed';
    const price = this.prices.verify;
    const amountCredits = foreseen === null ? price.costCredits : chargeFor(price, principal.policy, foreseen);
    const wanted = { amountCredits, maxCredits, purpose: 'verify', workMs: budgetMs } as const;
    const reservation = await this.credits.reserve(principal, wanted);
    const verification = await this.#askEngine(principal, email, budgetMs, reservation);
    const charge = chargeFor(price, principal.policy, outcomeOf(verification));
    const { verdict, reason } = verification;
    const works = [{ verdict, reason, items: 1, credits: charge }];
    const creditsCharged = await this.credits.settle(reservation, charge, claim, works);
    if (!principal.simulated) countVerifications(works, via);
    if (principal.trace !== undefined) writeDialogue(principal.trace, verification, timed().latencyMs);
    await this.reused.keep(principal, verification, reuseDays > 0);
    if (!principal.simulated && restsOnDenial(verification))
      this.denials.add([reportedDenial(principal, verification, reservation, creditsCharged)]);
    return { verification, creditsCharged, ...timed() };
  }

  async #askEngine(
    principal: Principal,
    email: string,
    budgetMs: number,
    reservation: Reservation,
  ): Promise<Verification> {
    try {
      return await this.engines.engineOf(principal).verify(email, { budgetMs, account: getAccountId(principal) });
    } catch (fault) {
      await this.credits.release(reservation);
      throw fault;
    }
  }
}

function reportedDenial(
  principal: Principal,
  verification: Verification,
  reservation: Reservation,
  credits: number,
): ReportedDenial {
  const { email, normalizedEmail, checkedAt: at } = verification;
  const requestId = principal.trace?.requestId ?? null;
  const accountId = getAccountId(principal);
  const utcDate = reservation.utcDate ?? null;
  return { accountId, address: normalizedEmail ?? email, at, credits, utcDate, requestId, row: null };
}
