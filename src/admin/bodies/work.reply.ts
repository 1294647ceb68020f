import { ApiProperty } from '@nestjs/swagger';
import type { Batch } from '../../batch/model/batch.js';
import { PageOf } from '../../platform/http/page.js';
import { TIME_OR_NULL, ID_SCHEMA, INTEGER } from '../../platform/http/schemas.js';
import { BATCH_STATES } from '../../batch/model/batch.js';
import type { Delivery } from '../../webhooks/webhook-administration.service.js';
import { DELIVERY_STATES } from '../../webhooks/delivery-state.js';

export class WorkCountsBody {
  @ApiProperty(INTEGER)
  readonly valid: number;

  @ApiProperty(INTEGER)
  readonly invalid: number;

  @ApiProperty(INTEGER)
  readonly risky: number;

  @ApiProperty(INTEGER)
  readonly unknown: number;
}

export class WorkBatchReply {
  @ApiProperty(ID_SCHEMA)
  readonly id: number;

  @ApiProperty({ format: 'uuid' })
  readonly account_id: string;

  @ApiProperty({ format: 'uuid', description: 'The key that sent it.' })
  readonly key_id: string;

  @ApiProperty({ enum: BATCH_STATES })
  readonly status: string;

  @ApiProperty({ description: 'Sent by a test key.' })
  readonly test: boolean;

  @ApiProperty(INTEGER)
  readonly total_emails: number;

  @ApiProperty(INTEGER)
  readonly unique_emails: number;

  @ApiProperty({ type: WorkCountsBody })
  readonly counts: WorkCountsBody;

  @ApiProperty(INTEGER)
  readonly credits_reserved: number;

  @ApiProperty(INTEGER)
  readonly credits_charged: number;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly started_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly completed_at: string | null;
}

export class WorkBatchPageReply extends PageOf(WorkBatchReply, 'batches') {}

export class WorkDeliveryReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ format: 'uuid' })
  readonly account_id: string;

  @ApiProperty({ format: 'uuid' })
  readonly webhook_id: string;

  @ApiProperty()
  readonly url: string;

  @ApiProperty({ description: 'Whether the endpoint is; a disabled one gets nothing.' })
  readonly enabled: boolean;

  @ApiProperty({ example: 'batch.completed' })
  readonly type: string;

  @ApiProperty({ ...ID_SCHEMA, nullable: true })
  readonly batch_id: number | null;

  @ApiProperty({ enum: DELIVERY_STATES })
  readonly status: string;

  @ApiProperty(INTEGER)
  readonly attempts: number;

  @ApiProperty({ type: 'integer', nullable: true })
  readonly last_status: number | null;

  @ApiProperty({ type: String, nullable: true })
  readonly last_error: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly due_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly finished_at: string | null;
}

export class WorkDeliveryPageReply extends PageOf(WorkDeliveryReply, 'deliveries') {}

export function workBatchReply(batch: Batch): WorkBatchReply {
  return {
    id: batch.id,
    account_id: batch.accountId,
    key_id: batch.keyId,
    status: batch.state,
    test: batch.simulated,
    total_emails: batch.totalRows,
    unique_emails: batch.uniqueAddresses,
    counts: batch.counts,
    credits_reserved: batch.creditsReserved,
    credits_charged: batch.creditsCharged,
    created_at: batch.createdAt.toISOString(),
    started_at: batch.startedAt?.toISOString() ?? null,
    completed_at: batch.finishedAt?.toISOString() ?? null,
  };
}

/** Without what the receiver answered: that is the account's. */
export function workDeliveryReply(delivery: Delivery): WorkDeliveryReply {
  const last = delivery.attempts.at(-1);
  return {
    id: delivery.id,
    account_id: delivery.accountId,
    webhook_id: delivery.endpointId,
    url: delivery.url,
    enabled: delivery.isEnabled,
    type: delivery.type,
    batch_id: delivery.batchId,
    status: delivery.state,
    attempts: delivery.attempts.length,
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
    created_at: delivery.createdAt.toISOString(),
    due_at: delivery.state === 'pending' ? delivery.dueAt.toISOString() : null,
    finished_at: delivery.finishedAt?.toISOString() ?? null,
  };
}
