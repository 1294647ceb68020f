import type { Batch } from '../batch/batch-administration.service.js';
import type { Delivery } from '../webhooks/delivery-administration.service.js';
import type { Reply } from './admin-replies.js';

export function workBatchReply(batch: Batch): Reply {
  return {
    id: batch.id,
    account_id: batch.accountId,
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
export function workDeliveryReply(delivery: Delivery): Reply {
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
