import { PageOf } from '../../platform/http/page.js';
import { field, Reply, replyOf } from '../../platform/http/reply.js';
import { type Batch, BATCH_STATES, type BatchState } from '../../batch/model/batch.js';
import type { Delivery } from '../../webhooks/webhook-administration.service.js';
import { DELIVERY_STATES } from '../../webhooks/delivery-state.js';

export class WorkCountsBody extends Reply({
  valid: field.integer(),
  invalid: field.integer(),
  risky: field.integer(),
  unknown: field.integer(),
}) {}

export class WorkBatchReply extends Reply({
  id: field.id(),
  account_id: field.uuid(),
  key_id: field.uuid('The key that sent it.'),
  status: field.oneOf<BatchState>(BATCH_STATES),
  test: field.boolean('Sent by a test key.'),
  total_emails: field.integer(),
  unique_emails: field.integer(),
  counts: field.one(WorkCountsBody),
  credits_reserved: field.integer(),
  credits_charged: field.integer(),
  created_at: field.time(),
  started_at: field.timeOrNull(),
  completed_at: field.timeOrNull(),
}) {}

export class WorkBatchPageReply extends PageOf(WorkBatchReply, 'batches') {}

export class WorkDeliveryReply extends Reply({
  id: field.uuid(),
  account_id: field.uuid(),
  webhook_id: field.uuid(),
  url: field.text(),
  enabled: field.boolean('Whether the endpoint is; a disabled one gets nothing.'),
  type: field.text({ example: 'batch.completed' }),
  batch_id: field.idOrNull(),
  status: field.oneOf(DELIVERY_STATES),
  attempts: field.integer(),
  last_status: field.integerOrNull(),
  last_error: field.textOrNull(),
  created_at: field.time(),
  due_at: field.timeOrNull(),
  finished_at: field.timeOrNull(),
}) {}

export class WorkDeliveryPageReply extends PageOf(WorkDeliveryReply, 'deliveries') {}

export function workBatchReply(batch: Batch): WorkBatchReply {
  return replyOf(WorkBatchReply, {
    ...batch,
    status: batch.state,
    test: batch.simulated,
    totalEmails: batch.totalRows,
    uniqueEmails: batch.uniqueAddresses,
    completedAt: batch.finishedAt,
  });
}

/** Without what the receiver answered: that is the account's. */
export function workDeliveryReply(delivery: Delivery): WorkDeliveryReply {
  const last = delivery.attempts.at(-1);
  return replyOf(WorkDeliveryReply, {
    ...delivery,
    webhookId: delivery.endpointId,
    enabled: delivery.isEnabled,
    status: delivery.state,
    attempts: delivery.attempts.length,
    lastStatus: last?.status ?? null,
    lastError: last?.error ?? null,
    dueAt: delivery.state === 'pending' ? delivery.dueAt : null,
  });
}
