import { ApiProperty } from '@nestjs/swagger';
import type { Page } from '../platform/http/page.js';
import { EVENT_TYPES } from '../platform/outbox/outbox.js';
import type { Delivery } from './deliveries.service.js';
import type { Endpoint, SecretEndpoint } from './endpoints.service.js';
import { messageIdOf } from './message-id.js';

const TIME_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;
const NEXT_CURSOR = {
  type: String,
  nullable: true,
  description: 'For the next page as `cursor`; null on the last one.',
};

export class WebhookReply {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty()
  readonly url: string;

  @ApiProperty({ enum: EVENT_TYPES, isArray: true })
  readonly events: readonly string[];

  @ApiProperty({ enum: ['live', 'test'], description: "Whose work it is told of: live keys', or test keys'." })
  readonly mode: string;

  @ApiProperty({ enum: ['api', 'batch'], description: '`batch`: the `webhook_url` of a batch.' })
  readonly made_by: string;

  @ApiProperty()
  readonly enabled: boolean;

  @ApiProperty({
    type: String,
    enum: ['owner', 'gone', 'failing', null],
    nullable: true,
    description: '`gone`: it answered 410. `failing`: five days without a success.',
  })
  readonly disabled_reason: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly disabled_at: string | null;

  @ApiProperty({ format: 'date-time' })
  readonly created_at: string;

  @ApiProperty(TIME_OR_NULL)
  readonly last_success_at: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'The first failure after the last success.' })
  readonly failing_since: string | null;

  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'The first 2xx from the present URL. Null: none has come, so what is sent there carries no results.',
  })
  readonly confirmed_at: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Until then the secret before the last rotation signs too.' })
  readonly old_secret_expires_at: string | null;
}

export class SecretWebhookReply extends WebhookReply {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'whsec_…',
    description:
      'Signs the deliveries. Shown here and never again; null in the replay of an idempotency key to another API key.',
  })
  readonly secret: string | null;
}

export class WebhookPageReply {
  @ApiProperty({ type: [WebhookReply] })
  readonly webhooks: readonly WebhookReply[];

  @ApiProperty(NEXT_CURSOR)
  readonly next_cursor: string | null;
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

  @ApiProperty({ type: 'integer', nullable: true })
  readonly batch_id: number | null;

  @ApiProperty({ enum: ['pending', 'succeeded', 'failed'] })
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

export function endpointReply(endpoint: Endpoint): WebhookReply {
  return fieldsOf(endpoint);
}

export function secretEndpointReply({ endpoint, secret }: SecretEndpoint): SecretWebhookReply {
  return { ...fieldsOf(endpoint), secret };
}

function fieldsOf(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    mode: endpoint.simulated ? 'test' : 'live',
    made_by: endpoint.madeBy,
    enabled: endpoint.enabled,
    disabled_reason: endpoint.disabledReason,
    disabled_at: endpoint.disabledAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    confirmed_at: endpoint.confirmedAt?.toISOString() ?? null,
    old_secret_expires_at: endpoint.oldSecretUntil?.toISOString() ?? null,
  };
}

export function endpointPageReply({ items, nextCursor }: Page<Endpoint>): WebhookPageReply {
  return { webhooks: items.map(endpointReply), next_cursor: nextCursor };
}

export function deliveryReply(delivery: Delivery): DeliveryReply {
  const isToCome = delivery.state === 'pending' && delivery.isEnabled;
  return {
    id: delivery.id,
    message_id: messageIdOf(delivery.eventId),
    webhook_id: delivery.endpointId,
    type: delivery.type,
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
