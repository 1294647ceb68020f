import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsUUID } from 'class-validator';
import { PageOf, PageQuery } from '../../platform/http/page.js';
import { TIME_OR_NULL } from '../../platform/http/schemas.js';
import type { Erasure } from '../../privacy/erasure-receipts.js';
import { ERASURE_STATES, type ErasureState } from '../../privacy/erasure-state.js';
import { ErasureReply, erasureReply } from '../../privacy/erasure.reply.js';
import { OptionalOneOf } from '../../platform/http/fields.js';

export class ErasuresQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID()
  readonly account_id?: string;

  @OptionalOneOf(ERASURE_STATES)
  readonly status?: ErasureState;
}

/** A receipt, and how its work goes. */
export class WorkErasureReply extends ErasureReply {
  @ApiProperty({ format: 'uuid' })
  readonly account_id: string;

  @ApiProperty({ description: 'Ordered by a test key.' })
  readonly test: boolean;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Steps in a row that have failed; the log says why.' })
  readonly failed_steps: number;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Of its next step; null when it has ended.' })
  readonly due_at: string | null;
}

export class WorkErasurePageReply extends PageOf(WorkErasureReply, 'erasures') {}

export function workErasureReply(erasure: Erasure): WorkErasureReply {
  return {
    ...erasureReply(erasure),
    account_id: erasure.accountId,
    test: erasure.simulated,
    failed_steps: erasure.failures,
    due_at: erasure.finishedAt === null ? erasure.dueAt.toISOString() : null,
  };
}
