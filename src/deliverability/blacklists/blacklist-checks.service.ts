import { Inject, Injectable } from '@nestjs/common';
import { readTarget, type Target, type TargetProblem } from '../../mail-dns/targets.js';
import { PaidChecksService } from '../../credits/paid-checks.service.js';
import { chargeFor } from '../../credits/prices.js';
import type { WorkReason } from '../../credits/usage/used-work.js';
import type { IdempotencyClaim } from '../../idempotency/idempotency-claim.js';
import type { Principal } from '../../keys/access/principal.js';
import { CREDIT_PRICES, type CreditPrices } from '../../platform/config/policies.js';
import { AppError, type FieldError, invalidField } from '../../platform/errors/app-error.js';
import { type BlacklistCheck, BlacklistCheckHistoryService } from './blacklist-check-history.service.js';
import { outcomeOf, targetResult } from './check-reply.js';
import { ListQuestionsService } from './list-questions.service.js';
import { counted } from '../../platform/counted.js';

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
    private readonly paid: PaidChecksService,
    private readonly history: BlacklistCheckHistoryService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
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
    const { simulated, policy } = principal;
    const { budgetMs, maxCredits } = asked;
    const { blacklists: price } = this.prices;
    const targets = this.readTargets(asked, simulated);
    const only = this.readLists(asked.lists);
    if (targets.length > policy.blacklistTargets)
      throw new AppError('plan_limit_reached', {
        message: `The account's plan allows ${counted(policy.blacklistTargets, 'target')} in one check: ask in several checks, or ask for another plan.`,
      });
    const amountCredits = targets.length * price.costCredits;
    return this.paid.run(principal, this.history, claim, {
      wanted: { amountCredits, maxCredits, purpose: 'blacklists', workMs: budgetMs },
      work: async () => {
        const answered = await this.questions.ask(targets, { simulated, only, budgetMs });
        return answered.map((one) => ({ result: targetResult(one), reason: outcomeOf(one) satisfies WorkReason }));
      },
      worksOf: (done) =>
        done.map(({ result, reason }) => {
          return { verdict: result.status, reason, items: 1, credits: chargeFor(price, policy, reason) };
        }),
      foundIn: (done) => ({ results: done.map(({ result }) => result) }),
    });
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
