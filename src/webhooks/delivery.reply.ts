import { EVENT_TYPES } from '../events/outbox.js';
import { type Page, PageOf, pageReply } from '../platform/http/page.js';
import { field, Reply, replyOf } from '../platform/http/reply.js';
import { messageIdOf } from './signature.js';
import type { Delivery } from './deliveries.service.js';
import { DELIVERY_STATES } from './delivery-state.js';

export class AttemptRequestReply extends Reply({
  headers: field.of<Readonly<Record<string, string>>>({
    type: Object,
    additionalProperties: { type: 'string' },
    description: 'As they were sent, with the signature masked.',
    example: { 'content-type': 'application/json', 'webhook-id': 'msg_5f0c…', 'webhook-signature': 'v1,…' },
  }),
  body_bytes: field.integer('Length of the body.'),
  body: field.textOrNull({
    maxLength: 4096,
    description:
      'Its first 4,096 characters, the signature of a link masked; null in listings, and for a body with results that is no longer kept as it was sent.',
  }),
}) {}

export class AttemptReply extends Reply({
  number: field.countFromOne(),
  at: field.time(),
  status: field.integerOrNull('Null when no answer came.'),
  error: field.textOrNull({ description: 'Why none came.', example: 'timeout' }),
  latency_ms: field.integer(),
  reply: field.text('The first 1 KiB of the answer.'),
  request: field.oneOrNull(AttemptRequestReply, 'Null when none could be made.'),
}) {}

export class DeliveryReply extends Reply({
  id: field.uuid(),
  message_id: field.text({ description: 'The `webhook-id` of every attempt.', example: 'msg_5f0c…' }),
  webhook_id: field.uuid(),
  type: field.oneOf<string>([...EVENT_TYPES, 'webhook.test']),
  sample: field.boolean('An example that was asked for: nothing has happened.'),
  batch_id: field.integerOrNull(),
  status: field.oneOf(DELIVERY_STATES),
  created_at: field.time('When it happened.'),
  next_attempt_at: field.timeOrNull('Null when none is to come; a disabled endpoint gets none until it is enabled.'),
  finished_at: field.timeOrNull(),
  attempts: field.listOf(AttemptReply),
}) {}

export class DeliveryPageReply extends PageOf(DeliveryReply, 'deliveries') {}

export class RedeliveredReply extends Reply({
  redelivered: field.integer('Deliveries whose schedule has begun anew.'),
}) {}

export function deliveryReply(delivery: Delivery): DeliveryReply {
  const isToCome = delivery.state === 'pending' && delivery.isEnabled;
  return replyOf(DeliveryReply, {
    ...delivery,
    messageId: messageIdOf(delivery.eventId),
    webhookId: delivery.endpointId,
    sample: delivery.isSample,
    status: delivery.state,
    nextAttemptAt: isToCome ? delivery.dueAt : null,
    attempts: delivery.attempts.map(({ request, ...attempt }) =>
      replyOf(AttemptReply, {
        ...attempt,
        at: new Date(attempt.at),
        request: request && { headers: request.headers, body_bytes: request.bytes, body: masked(request.body) },
      }),
    ),
  });
}

/** A signed link opens all results, to keys too that may not read them; it is for the receiver. */
function masked(body: string | null): string | null {
  return body?.replace(/([?&]signature=)[\w%-]+/g, '$1…') ?? null;
}

export const deliveryPageReply = (page: Page<Delivery>): DeliveryPageReply =>
  pageReply('deliveries', page, deliveryReply);
