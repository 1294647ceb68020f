import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES } from '../../events/outbox.js';
import { NEXT_CURSOR, type Page } from '../../platform/http/page.js';
import { TIME_OR_NULL } from '../../platform/http/time.js';
import { messageIdOf } from '../worker/signature.js';
import type { Delivery } from './deliveries.service.js';
import { DELIVERY_STATES } from './delivery-state.js';

export class AttemptReply {
  @ApiProperty({ type: 'integer', minimum: 1 })
  readonly number: number;

  @ApiProperty({ format: 'date-time' })
  readonly at: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null when no answer came.' })
  readonly status: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why none came.', example: 'timeout' })
  readonly error: string | null;

  @ApiProperty({ type: 'integer' })
  readonly latency_ms: number;

  @ApiProperty({ description: 'The first 1 KiB of the answer.' })
  readonly reply: string;
}

export class DeliveryReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ description: 'The `webhook-id` of every attempt.', example: 'msg_5f0c…' })
  readonly message_id: string;

  @ApiProperty({ format: 'uuid' })
  readonly webhook_id: string;

  @ApiProperty({ enum: [...EVENT_TYPES, 'webhook.test'] })
  readonly type: string;

  @ApiProperty({ description: 'An example that was asked for: nothing has happened.' })
  readonly sample: boolean;

  @ApiProperty({ type: 'integer', nullable: true })
  readonly batch_id: number | null;

  @ApiProperty({ enum: DELIVERY_STATES })
  readonly status: string;

  @ApiProperty({ format: 'date-time', description: 'When it happened.' })
  readonly created_at: string;

  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'Null when none is to come; a disabled endpoint gets none until it is enabled.',
  })
  readonly next_attempt_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly finished_at: string | null;

  @ApiProperty({ type: [AttemptReply] })
  readonly attempts: readonly AttemptReply[];
}

export class DeliveryPageReply {
  @ApiProperty({ type: [DeliveryReply] })
  readonly deliveries: readonly DeliveryReply[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
}

export class RedeliveredReply {
  @ApiProperty({ type: 'integer', description: 'Deliveries whose schedule has begun anew.' })
  readonly redelivered: number;
}

export function deliveryReply(delivery: Delivery): DeliveryReply {
  const isToCome = delivery.state === 'pending' && delivery.isEnabled;
  return {
    id: delivery.id,
    message_id: messageIdOf(delivery.eventId),
    webhook_id: delivery.endpointId,
    type: delivery.type,
    sample: delivery.isSample,
    batch_id: delivery.batchId,
    status: delivery.state,
    created_at: delivery.createdAt.toISOString(),
    next_attempt_at: isToCome ? delivery.dueAt.toISOString() : null,
    finished_at: delivery.finishedAt?.toISOString() ?? null,
    attempts: delivery.attempts.map(({ number, at, status, error, latencyMs, reply }) => ({
      number,
      at: new Date(at).toISOString(),
      status,
      error,
      latency_ms: latencyMs,
      reply,
    })),
  };
}

export function deliveryPageReply({ items, nextCursor }: Page<Delivery>): DeliveryPageReply {
  return { deliveries: items.map(deliveryReply), next_cursor: nextCursor };
}
