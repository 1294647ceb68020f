import { ApiProperty } from '@nestjs/swagger';
import { type Page } from '../platform/http/listing.js';
import { PageOf, pageReply } from '../platform/http/page.js';
import { TIME_OR_NULL, COUNT, ID_SCHEMA } from '../platform/http/schemas.js';
import { BATCH_STATES } from '../batch/model/batch.js';
import { ERASURE_FAILURES, ERASURE_STATES, MAX_NAMED_BATCHES } from './erasure-state.js';
import type { Erasure } from './erasure.store.js';

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

  @ApiProperty({ ...COUNT, description: 'Names of the account, of keys and of browsers that were signed in.' })
  readonly names: number;

  @ApiProperty({ ...COUNT, description: 'Entries of the audit log that told of it, and have lost that text.' })
  readonly audit_entries: number;
}

export class RunningBatchBody {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ enum: ['verify', 'find'], description: 'Of addresses, or of people.' })
  readonly kind: string;

  @ApiProperty({ enum: BATCH_STATES })
  readonly status: string;
}

/** A receipt. It never holds the address. */
export class ErasureReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({
    enum: ERASURE_STATES,
    description:
      '`working`: its next step is done within seconds; `waiting`: for batches that run, which `waits_for` names; `done`: the address is gone from all that there was when it was asked; `failed`: for the reason in `failure`, so give the order again.',
  })
  readonly status: string;

  @ApiProperty({ description: 'The address is on the suppression list, by its hash.' })
  readonly suppressed: boolean;

  @ApiProperty({ ...COUNT, description: 'Batches that are still to be looked through.' })
  readonly batches_left: number;

  @ApiProperty({
    type: [RunningBatchBody],
    maxItems: MAX_NAMED_BATCHES,
    description: 'The first of them that run: their end, or `DELETE` of them, lets the erasure go on.',
  })
  readonly waits_for: readonly RunningBatchBody[];

  @ApiProperty({
    type: String,
    enum: [...ERASURE_FAILURES, null],
    nullable: true,
    description:
      '`address_unreadable`: the service has lost its key to the order; `steps_failed`: what it tried has failed for three days.',
  })
  readonly failure: string | null;

  @ApiProperty({ type: ErasedBody, description: 'So far.' })
  readonly erased: ErasedBody;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly finished_at: string | null;
}

export class ErasurePageReply extends PageOf(ErasureReply, 'erasures') {}

export const erasurePageReply = (page: Page<Erasure>): ErasurePageReply => pageReply('erasures', page, erasureReply);

export function erasureReply(erasure: Erasure) {
  return {
    id: erasure.id,
    status: erasure.state,
    suppressed: erasure.suppressed,
    batches_left: erasure.waitsFor,
    waits_for: erasure.running.map(({ id, kind, state }) => ({ id, kind, status: state })),
    failure: erasure.failure,
    erased: {
      batches: erasure.batches,
      rows: erasure.rows,
      webhook_bodies: erasure.bodies,
      webhook_replies: erasure.answers,
      kept_replies: erasure.keptReplies,
      kept_verdicts: erasure.verdicts,
      suppressions: erasure.suppressions,
      agents: erasure.agents,
      names: erasure.names,
      audit_entries: erasure.acts,
    },
    created_at: erasure.createdAt.toISOString(),
    finished_at: erasure.finishedAt?.toISOString() ?? null,
  } satisfies ErasureReply;
}
