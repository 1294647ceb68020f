import { ApiProperty } from '@nestjs/swagger';
import { TIME_OR_NULL } from '../../platform/http/time.js';
import { type Erasure, ERASURE_STATES } from './erasure.store.js';

const COUNT = { type: 'integer', minimum: 0 } as const;

export class ErasedBody {
  @ApiProperty({ ...COUNT, description: 'Batches and lists that had the address.' })
  readonly batches: number;

  @ApiProperty({ ...COUNT, description: 'Rows in them that were emptied, or lost a cell that named it.' })
  readonly rows: number;

  @ApiProperty({ ...COUNT, description: 'Bodies of webhooks, which are made anew without it.' })
  readonly webhook_bodies: number;

  @ApiProperty({ ...COUNT, description: "Replies of webhooks' receivers." })
  readonly webhook_replies: number;

  @ApiProperty({ ...COUNT, description: 'Replies that were kept for an `Idempotency-Key`.' })
  readonly kept_replies: number;

  @ApiProperty({ ...COUNT, description: 'Verdicts that were kept for `reuse_days`.' })
  readonly kept_verdicts: number;

  @ApiProperty({ ...COUNT, description: 'Entries of the suppression list.' })
  readonly suppressions: number;

  @ApiProperty({ ...COUNT, description: 'Claimed agents that named it when they registered.' })
  readonly agents: number;
}

/** A receipt. It never holds the address. */
export class ErasureReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({
    enum: ERASURE_STATES,
    description:
      '`waiting`: for batches that still run, at most as long as they do; `failed`: the service has lost its key to the order, so give it again.',
  })
  readonly status: string;

  @ApiProperty({ description: 'The address is on the suppression list, by its hash.' })
  readonly suppressed: boolean;

  @ApiProperty({ ...COUNT, description: 'Batches that are still to be looked through.' })
  readonly batches_left: number;

  @ApiProperty({ type: ErasedBody, description: 'So far.' })
  readonly erased: ErasedBody;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly finished_at: string | null;
}

export function erasureReply(erasure: Erasure): ErasureReply {
  return {
    id: erasure.id,
    status: erasure.state,
    suppressed: erasure.suppressed,
    batches_left: erasure.waitsFor,
    erased: {
      batches: erasure.batches,
      rows: erasure.rows,
      webhook_bodies: erasure.bodies,
      webhook_replies: erasure.answers,
      kept_replies: erasure.keptReplies,
      kept_verdicts: erasure.verdicts,
      suppressions: erasure.suppressions,
      agents: erasure.agents,
    },
    created_at: erasure.createdAt.toISOString(),
    finished_at: erasure.finishedAt?.toISOString() ?? null,
  };
}
