import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES } from '../events/outbox.js';
import { type Page } from '../platform/http/listing.js';
import { PageOf, pageReply } from '../platform/http/page.js';
import { TIME_OR_NULL } from '../platform/http/schemas.js';
import { messageIdOf } from './signature.js';
import type { Delivery } from './deliveries.service.js';
import { DELIVERY_STATES } from './delivery-state.js';

export class AttemptRequestReply {
  @ApiProperty({
    type: Object,
    additionalProperties: { type: 'string' },
    description: 'As they were sent, with the signature masked.',
    example: { 'content-type': 'application/json', 'webhook-id': 'msg_5f0c…', 'webhook-signature': 'v1,…' },
  })
  readonly headers: Readonly<Record<string, string>>;

  @ApiProperty({ type: 'integer', description: 'Length of the body.' })
  readonly body_bytes: number;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 4096,
    description:
      'Its first 4,096 characters, the signature of a link masked; null in listings, and for a body with results that is no longer kept as it was sent.',
  })
  readonly body: string | null;
}

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

  @ApiProperty({ type: AttemptRequestReply, nullable: true, description: 'Null when none could be made.' })
  readonly request: AttemptRequestReply | null;
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

export class DeliveryPageReply extends PageOf(DeliveryReply, 'deliveries') {}

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
    attempts: delivery.attempts.map(({ number, at, status, error, latencyMs, reply, request }) => ({
      number,
      at: new Date(at).toISOString(),
      status,
      error,
      latency_ms: latencyMs,
      reply,
      request: request && { headers: request.headers, body_bytes: request.bytes, body: masked(request.body) },
    })),
  };
}

/** A signed link opens all results, to keys too that may not read them; it is for the receiver. */
function masked(body: string | null): string | null {
  return body?.replace(/([?&]signature=)[\w%-]+/g, '$1…') ?? null;
}

export const deliveryPageReply = (page: Page<Delivery>): DeliveryPageReply =>
  pageReply('deliveries', page, deliveryReply);
