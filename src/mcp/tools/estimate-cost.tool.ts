import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { neededFor } from '../../keys/access/audience.js';
import { EstimateController } from '../../batch/http/estimate.controller.js';
import {
  EstimateService,
  MAX_ESTIMATED_COUNT,
  MAX_ESTIMATED_EMAILS,
  MAX_ESTIMATED_LENGTH,
} from '../../batch/estimate.service.js';
import { KEY_POLICIES, type KeyPolicies } from '../../platform/config/policies.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type Tool, type ToolCall, type ToolResult } from './tool.js';
import { count } from './tool-schemas.js';

const input = z.object({
  count: z.int().min(1).max(MAX_ESTIMATED_COUNT).optional().describe('How many addresses; needs no API key.'),
  emails: z
    .array(z.string().max(MAX_ESTIMATED_LENGTH))
    .min(1)
    .max(MAX_ESTIMATED_EMAILS)
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
    'Give count (no key needed) or emails (repeated ones are counted once), which decide where both are given. For what is left use get_credit_balance.',
    'Costs nothing. Returns credits_required, how many calls of verify_batch it takes, and with an API key whether the credits suffice.',
  ].join(' ');
  readonly input = input;
  readonly output = z.object({
    addresses: count(),
    unique_addresses: count(),
    malformed: count().nullable(),
    credits_per_address: count(),
    credits_required: count(),
    unknown_is_charged: z.boolean(),
    batches: count(),
    sufficient: z.boolean().nullable(),
  });
  readonly needsKey = false;
  readonly needs = neededFor(EstimateController, 'estimate');

  constructor(
    private readonly estimates: EstimateService,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
  ) {}

  async run({ count: number, emails }: z.infer<typeof input>, call: ToolCall): Promise<ToolResult> {
    if (emails !== undefined) call.requirePrincipal();
    else if (number === undefined) throw oneOfTheTwo();
    const { principal } = call;
    const asked = emails === undefined ? { count: number! } : { emails };
    const { price, remaining, isSufficient } = await this.estimates.estimate(principal, asked);
    return {
      ...price,
      // The limit of a call counts repeated addresses too.
      batches: Math.ceil(price.addresses / this.policies.agent.batchSize),
      sufficient: isSufficient,
      credits_remaining: remaining,
      action: isSufficient === false ? 'add_credits' : 'verify',
      next_step: principal === null ? 'Verifying needs an API key: call get_api_key.' : null,
    };
  }
}

function oneOfTheTwo(): AppError {
  const error = 'or emails must be there';
  return new AppError('invalid_input', { fields: [{ field: 'count', error }] });
}
