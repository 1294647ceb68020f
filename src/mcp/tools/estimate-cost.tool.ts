import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { repeatKeyOf } from '../../batch/model/domain-part.js';
import { CreditsService } from '../../credits/credits.service.js';
import {
  CREDIT_PRICES,
  type CreditPrices,
  KEY_POLICIES,
  type KeyPolicies,
  type KeyPolicy,
} from '../../platform/config/policies.js';
import { AppError } from '../../platform/errors/app-error.js';
import { READ_ONLY, type Tool, type ToolCall, type ToolResult } from '../tool.js';
import { count } from '../tool-schemas.js';

const MAX_COUNT = 1_000_000;
const MAX_EMAILS = 10_000;

const input = z.object({
  count: z.int().min(1).max(MAX_COUNT).optional().describe('How many addresses; needs no API key.'),
  emails: z
    .array(z.string().max(1000))
    .min(1)
    .max(MAX_EMAILS)
    .optional()
    .describe(
      'The addresses themselves, so that repeated ones are counted once; needs an API key. Nothing is verified.',
    ),
});

@Injectable()
export class EstimateCostTool implements Tool<typeof input> {
  readonly name = 'estimate_cost';
  readonly title = 'What verifying would cost';
  readonly description = [
    'Tells what verifying a number of addresses would cost, without verifying any. Use it before verify_batch, or to plan several of them.',
    'Give either count (no key needed) or emails (repeated ones are counted once). For what is left use get_credit_balance.',
    'Costs nothing. Returns credits_required, how many calls of verify_batch it takes, and with an API key whether the credits suffice.',
  ].join(' ');
  readonly annotations = READ_ONLY;
  readonly input = input;
  readonly output = z.object({
    addresses: count(),
    unique_addresses: count().describe('What is charged.'),
    credits_per_address: count(),
    credits_required: count().describe('At most: see unknown_is_charged.'),
    unknown_is_charged: z.boolean().describe('Whether an unknown verdict costs a credit too.'),
    batches: count().describe('Calls of verify_batch that it takes.'),
    sufficient: z.boolean().nullable().describe('Whether credits_remaining covers it; null without an API key.'),
  });
  readonly needsKey = false;
  readonly route = 'GET /api/v1/credits';
  readonly usesRate = true;

  constructor(
    private readonly credits: CreditsService,
    @Inject(CREDIT_PRICES) private readonly prices: CreditPrices,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  async run({ count: number, emails }: z.infer<typeof input>, call: ToolCall): Promise<ToolResult> {
    if ((number === undefined) === (emails === undefined)) throw eitherOr();
    if (emails !== undefined) call.requirePrincipal();
    const addresses = emails?.length ?? number!;
    const unique = emails === undefined ? addresses : new Set(emails.map((email) => repeatKeyOf(email.trim()))).size;
    const { principal } = call;
    const remaining = principal && (await this.credits.getStatus(principal)).remaining;
    const cost = costOf(unique, this.prices, principal?.policy ?? this.policies.agent);
    const sufficient = remaining === null ? null : remaining >= cost.credits_required;
    return {
      addresses,
      unique_addresses: unique,
      ...cost,
      // The limit of a call counts repeated addresses too.
      batches: Math.ceil(addresses / this.policies.agent.batchSize),
      sufficient,
      credits_remaining: remaining,
      action: sufficient === false ? 'add_credits' : 'verify',
      next_step: principal === null ? 'Verifying needs an API key: call get_api_key.' : null,
    };
  }
}

function costOf(unique: number, { verify }: CreditPrices, policy: KeyPolicy) {
  return {
    credits_per_address: verify.costCredits,
    credits_required: unique * verify.costCredits,
    unknown_is_charged: policy.chargeUnknown,
  };
}

function eitherOr(): AppError {
  const error = 'give either count or emails';
  return new AppError('invalid_input', { fields: [{ field: 'count', error }] });
}
