import { Body } from '@nestjs/common';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { invalidField } from '../../platform/errors/app-error.js';
import {
  EstimateService,
  MAX_ESTIMATED_COUNT,
  MAX_ESTIMATED_EMAILS,
  MAX_ESTIMATED_LENGTH,
} from '../estimate.service.js';
import { shaped } from '../../presenting/present.decorator.js';
import { Route, Routes } from '../../keys/route.decorator.js';
import { IsString, MaxLength } from 'class-validator';
import { OptionalInteger, OptionalTexts } from '../../platform/http/fields.js';
import { field, Reply } from '../../platform/http/reply.js';

/** One of the two; the addresses decide where both come. */
export class EstimateRequest {
  @OptionalTexts({ type: 'string', maxLength: MAX_ESTIMATED_LENGTH }, MAX_ESTIMATED_EMAILS, {
    nullable: true,
    description: 'The addresses themselves, so that repeated ones are counted once. Nothing is verified or kept.',
  })
  @IsString({ each: true })
  @MaxLength(MAX_ESTIMATED_LENGTH, { each: true })
  readonly emails?: readonly string[] | null;

  @OptionalInteger({
    minimum: 1,
    maximum: MAX_ESTIMATED_COUNT,
    nullable: true,
    description: 'How many addresses; without effect beside `emails`.',
  })
  readonly count?: number | null;
}

export class EstimateReply extends Reply({
  addresses: field.integer(),
  unique_addresses: field.integer('Without repeated ones, which cost nothing.'),
  malformed: field.integerOrNull(
    'Distinct addresses that will be `invalid_syntax`; they cost nothing, except for agents. Null for a count.',
  ),
  credits_per_address: field.integer(),
  credits_required: field.integer('At most: see `unknown_is_charged`.'),
  unknown_is_charged: field.boolean('Whether a verdict `unknown` costs a credit too.'),
  batches: field.integer('Batches that it takes with this key.'),
  credits_remaining: field.integer('What may be spent now.'),
  sufficient: field.boolean('Whether `credits_remaining` covers it.'),
}) {}

@Routes('api/v1/estimate', { tag: 'Credits' })
export class EstimateController {
  constructor(private readonly estimates: EstimateService) {}

  @Route.post('', 'estimate', 'What verifying addresses would cost; nothing is verified', {
    needs: 'verify',
    ok: shaped(EstimateReply),
  })
  async estimate(@Caller() caller: Principal, @Body() { emails, count }: EstimateRequest) {
    const asked = emails ? { emails } : count ? { count } : null;
    if (asked === null) throw invalidField('emails', 'or count must be there');
    const { price, remaining, isSufficient } = await this.estimates.estimate(caller, asked);
    return {
      ...price,
      // The limit of a batch counts repeated addresses too.
      batches: Math.ceil(price.addresses / caller.policy.batchSize),
      credits_remaining: remaining!,
      sufficient: isSufficient!,
    };
  }
}
