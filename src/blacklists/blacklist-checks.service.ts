import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { readTarget, type Target, type TargetProblem } from '../mail-dns/targets.js';
import { CreditsService } from '../credits/credits.service.js';
import { chargeFor } from '../credits/prices.js';
import { type IdempotencyClaim, runInTransaction } from '../idempotency/idempotency-claim.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { CREDIT_PRICES, type CreditPrices } from '../platform/config/policies.js';
import { AppError, type FieldError, invalidField } from '../platform/errors/app-error.js';
import { randomId } from '../platform/random-id.js';
import { type BlacklistCheck, BlacklistCheckHistoryService } from './blacklist-check-history.service.js';
import { outcomeOf, targetResult } from './check-reply.js';
import { type AskedTarget, ListQuestionsService } from './list-questions.service.js';
import { counted } from '../platform/counted.js';

interface BlacklistCheckInput {
  readonly targets: readonly string[];
  /** Null: all lists. */
  readonly lists: readonly string[] | null;
  readonly budgetMs: number;
  readonly maxCredits: number | null;
}

const PROBLEMS: Readonly<Record<TargetProblem, string>> = {
  malformed: 'must be an IP address or a domain',
  private: 'is an address that is not public, which no list has',
  public_suffix: 'is a domain under which anybody can register',
};

/** One check and its credits. */
@Injectable()
export class BlacklistChecksService {
  constructor(
    private readonly questions: ListQuestionsService,
    private readonly credits: CreditsService,
    private readonly history: BlacklistCheckHistoryService,
    private readonly database: DataSource,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * Charges for each target that got an answer from a list.
   * @throws AppError `invalid_input`, `plan_limit_reached`, `ceiling_reached`, `key_ceiling_reached`, `credits_insufficient`
   */
  async check(
    principal: Principal,
    asked: BlacklistCheckInput,
    claim: IdempotencyClaim | null,
  ): Promise<BlacklistCheck> {
    const begun = performance.now();
    const { simulated, policy } = principal;
    const targets = this.readTargets(asked, simulated);
    const only = this.readLists(asked.lists);
    if (targets.length > policy.blacklistTargets)
      throw new AppError('plan_limit_reached', {
        message: `The account's plan allows ${counted(policy.blacklistTargets, 'target')} in one check: ask in several checks, or ask for another plan.`,
      });
    const amountCredits = targets.length * this.prices.blacklists.costCredits;
    const wanted = {
      amountCredits,
      maxCredits: asked.maxCredits,
      purpose: 'blacklists',
      workMs: asked.budgetMs,
    } as const;
    const reservation = await this.credits.reserve(principal, wanted);
    const answered = await this.questions
      .ask(targets, { simulated, only, budgetMs: asked.budgetMs })
      .catch(async (fault: unknown) => {
        await this.credits.release(reservation);
        throw fault;
      });
    const results = answered.map(targetResult);
    const works = answered.map((one, index) => ({
      verdict: results[index]!.status,
      reason: outcomeOf(one),
      items: 1,
      credits: this.chargeOf(principal, one),
    }));
    const charge = works.reduce((sum, { credits }) => sum + credits, 0);
    const creditsCharged = await this.credits.settle(reservation, charge, claim, works);
    const check = {
      id: randomId(),
      results,
      creditsCharged,
      latencyMs: Math.round(performance.now() - begun),
      createdAt: new Date(this.clock.now()),
    };
    await runInTransaction(this.database, claim, (tx: EntityManager) =>
      this.history.insert(tx, ownerOf(principal), check),
    );
    return check;
  }

  private chargeOf({ policy }: Principal, answered: AskedTarget): number {
    return chargeFor(this.prices.blacklists, policy, outcomeOf(answered));
  }

  /** @throws AppError `invalid_input`, naming each text that is no target */
  private readTargets({ targets }: BlacklistCheckInput, simulated: boolean): readonly Target[] {
    const fields: FieldError[] = [];
    const read = targets.flatMap((text, index) => {
      const target = readTarget(text, simulated);
      if (typeof target !== 'string') return [target];
      fields.push({ field: `targets[${index}]`, error: `targets[${index}] ${PROBLEMS[target]}` });
      return [];
    });
    if (fields.length > 0) throw new AppError('invalid_input', { fields });
    return [...new Map(read.map((target) => [target.value, target])).values()];
  }

  private readLists(ids: readonly string[] | null): ReadonlySet<string> | null {
    if (ids === null) return null;
    const index = ids.findIndex((id) => !this.questions.isKnown(id));
    if (index >= 0) throw invalidField(`lists[${index}]`, 'is none of the lists of GET /api/v1/blacklists');
    return new Set(ids);
  }
}
