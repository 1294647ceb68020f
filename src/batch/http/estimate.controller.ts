import { Body } from '@nestjs/common';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { estimateBody, EstimateReply } from './estimate.reply.js';
import {
  EstimateService,
  MAX_ESTIMATED_COUNT,
  MAX_ESTIMATED_EMAILS,
  MAX_ESTIMATED_LENGTH,
} from '../estimate.service.js';
import { shaped } from '../../presenting/present.decorator.js';
import { Route, Routes } from '../../keys/route.decorator.js';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsOptional, IsString, MaxLength } from 'class-validator';
import { OptionalInteger } from '../../platform/http/fields.js';

/** One of the two; the addresses decide where both come. */
export class EstimateRequest {
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', maxLength: MAX_ESTIMATED_LENGTH },
    minItems: 1,
    maxItems: MAX_ESTIMATED_EMAILS,
    nullable: true,
    description: 'The addresses themselves, so that repeated ones are counted once. Nothing is verified or kept.',
  })
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_ESTIMATED_EMAILS)
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

@Routes('api/v1/estimate', { tag: 'Credits' })
export class EstimateController {
  constructor(private readonly estimates: EstimateService) {}

  @Route.post('', 'estimate', 'What verifying addresses would cost; nothing is verified', {
    needs: 'verify',
    ok: shaped(EstimateReply),
  })
  async estimate(@Caller() caller: Principal, @Body() { emails, count }: EstimateRequest): Promise<EstimateReply> {
    const asked = emails ? { emails } : count ? { count } : null;
    if (asked === null) throw invalidField('emails', 'or count must be there');
    const estimate = await this.estimates.estimate(caller, asked);
    return {
      ...estimateBody(estimate),
      // The limit of a batch counts repeated addresses too.
      batches: Math.ceil(estimate.addresses / caller.policy.batchSize),
      credits_remaining: estimate.remaining!,
      sufficient: estimate.sufficient!,
    };
  }
}
