import { ApiProperty } from '@nestjs/swagger';
import type { Estimate } from '../estimate.service.js';

export class EstimateReply {
  @ApiProperty({ type: 'integer' })
  readonly addresses: number;

  @ApiProperty({ type: 'integer', description: 'Without repeated ones, which cost nothing.' })
  readonly unique_addresses: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Distinct addresses that will be `invalid_syntax`; they cost nothing, except for agents. Null for a count.',
  })
  readonly malformed: number | null;

  @ApiProperty({ type: 'integer' })
  readonly credits_per_address: number;

  @ApiProperty({ type: 'integer', description: 'At most: see `unknown_is_charged`.' })
  readonly credits_required: number;

  @ApiProperty({ description: 'Whether a verdict `unknown` costs a credit too.' })
  readonly unknown_is_charged: boolean;

  @ApiProperty({ type: 'integer', description: 'Batches that it takes with this key.' })
  readonly batches: number;

  @ApiProperty({ type: 'integer', description: 'What may be spent now.' })
  readonly credits_remaining: number;

  @ApiProperty({ description: 'Whether `credits_remaining` covers it.' })
  readonly sufficient: boolean;
}

/** The members that REST and MCP have in common. */
export function estimateBody(estimate: Estimate) {
  return {
    addresses: estimate.addresses,
    unique_addresses: estimate.unique,
    malformed: estimate.malformed,
    credits_per_address: estimate.creditsPerAddress,
    credits_required: estimate.creditsRequired,
    unknown_is_charged: estimate.unknownIsCharged,
  };
}
