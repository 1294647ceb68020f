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

export interface Estimate {
  readonly addresses: number;
  /** Without repeated ones. */
  readonly unique: number;
  /** Distinct addresses that will be `invalid_syntax`, which only agents pay for; null of a count. */
  readonly malformed: number | null;
  /** Nothing for a test key. */
  readonly creditsPerAddress: number;
  /** The most that it costs. */
  readonly creditsRequired: number;
  readonly unknownIsCharged: boolean;
  /** Null without a key. */
  readonly remaining: number | null;
  /** Whether what remains covers it; null without a key. */
  readonly sufficient: boolean | null;
}

/** Tells what verifying would cost, without verifying: REST and MCP tell the same. */
@Injectable()
export class EstimateService {
  constructor(
    private readonly credits: CreditsService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  /** @param principal null: whoever has no key yet would be an agent */
  async estimate(principal: Principal | null, asked: Estimated): Promise<Estimate> {
    const counted = 'emails' in asked ? countEmails(asked.emails) : countOf(asked.count);
    const remaining = principal && (await this.credits.getStatus(principal)).remaining;
    const policy: KeyPolicy = principal?.policy ?? this.policies.agent;
    const isSimulated = principal?.simulated ?? false;
    const creditsPerAddress = isSimulated ? 0 : this.prices.verify.costCredits;
    const creditsPerMalformed = isSimulated ? 0 : chargeFor(this.prices.verify, policy, 'malformed');
    const malformed = counted.malformed ?? 0;
    const creditsRequired = (counted.unique - malformed) * creditsPerAddress + malformed * creditsPerMalformed;
    return {
      ...counted,
      creditsPerAddress,
      creditsRequired,
      unknownIsCharged: policy.chargeUnknown && !isSimulated,
      remaining,
      sufficient: remaining === null ? null : remaining >= creditsRequired,
    };
  }
}

type Counted = Pick<Estimate, 'addresses' | 'unique' | 'malformed'>;

function countOf(count: number): Counted {
  return { addresses: count, unique: count, malformed: null };
}

/** Counts as a batch of the addresses would be counted. */
function countEmails(emails: readonly string[]): Counted {
  const distinct = new Map(emails.map((email) => [repeatKeyOf(email.trim()), email.trim()]));
  const malformed = [...distinct.values()].filter((email) => ADDRESSES.isMalformed(email)).length;
  return { addresses: emails.length, unique: distinct.size, malformed };
}
