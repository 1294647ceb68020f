import { Inject, Injectable } from '@nestjs/common';
import { CreditsService } from '../credits/credits.service.js';
import { chargeFor } from '../credits/prices.js';
import type { Principal } from '../keys/access/principal.js';
import {
  CREDIT_PRICES,
  type CreditPrices,
  KEY_POLICIES,
  type KeyPolicies,
  type KeyPolicy,
} from '../platform/config/policies.js';
import { ADDRESSES } from './model/batch-kind.js';
import { repeatKeyOf } from './model/row-ref.js';

/** More addresses than one batch holds, for who plans several of them. */
export const MAX_ESTIMATED_COUNT = 1_000_000;
/** What a body of 1 MiB has room for. */
export const MAX_ESTIMATED_EMAILS = 10_000;
export const MAX_ESTIMATED_LENGTH = 1000;

/** The addresses that somebody thinks of verifying: themselves, or how many. */
type Estimated = { readonly emails: readonly string[] } | { readonly count: number };

/** Tells what verifying would cost, without verifying: REST and MCP tell the same. */
@Injectable()
export class EstimateService {
  constructor(
    private readonly credits: CreditsService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  /**
   * @param principal null: whoever has no key yet would be an agent
   * @returns the price as replies tell it; what remains, and whether that covers it, are null without a key
   */
  async estimate(principal: Principal | null, asked: Estimated) {
    const counted =
      'emails' in asked ? countEmails(asked.emails) : { addresses: asked.count, unique: asked.count, malformed: null };
    const remaining = principal && (await this.credits.getStatus(principal)).remaining;
    const policy: KeyPolicy = principal?.policy ?? this.policies.agent;
    const isSimulated = principal?.simulated ?? false;
    const creditsPerAddress = isSimulated ? 0 : this.prices.verify.costCredits;
    const creditsPerMalformed = isSimulated ? 0 : chargeFor(this.prices.verify, policy, 'malformed');
    const malformed = counted.malformed ?? 0;
    const creditsRequired = (counted.unique - malformed) * creditsPerAddress + malformed * creditsPerMalformed;
    const price = {
      addresses: counted.addresses,
      unique_addresses: counted.unique,
      malformed: counted.malformed,
      credits_per_address: creditsPerAddress,
      credits_required: creditsRequired,
      unknown_is_charged: policy.chargeUnknown && !isSimulated,
    };
    return { price, remaining, isSufficient: remaining === null ? null : remaining >= creditsRequired };
  }
}

/** Counts as a batch of the addresses would be counted. */
function countEmails(emails: readonly string[]) {
  const distinct = new Map(emails.map((email) => [repeatKeyOf(email.trim()), email.trim()]));
  const malformed = [...distinct.values()].filter((email) => ADDRESSES.isMalformed(email)).length;
  return { addresses: emails.length, unique: distinct.size, malformed };
}
