import { type Batch, estimatedEnd, processedOf, type WaitingItems } from './batch.js';
import { kindOf } from './batch-kind.js';

/**
 * The body of `GET …/{id}` (docs/batches.md#status).
 * @param quote of a held batch
 */
export function batchStatus(batch: Batch, now: number, quote: object | null = null): object {
  const { items } = kindOf(batch);
  const processed = processedOf(batch);
  return {
    id: batch.id,
    status: batch.state,
    name: batch.name,
    list_id: batch.listId,
    [`total_${items}`]: batch.totalRows,
    [`unique_${items}`]: batch.uniqueAddresses,
    processed,
    progress: batch.totalRows === 0 ? 0 : Math.floor((processed / batch.totalRows) * 10_000) / 10_000,
    counts: batch.counts,
    quote,
    waiting: batch.waiting && waitingBody(batch.waiting),
    credits_reserved: batch.creditsReserved,
    credits_charged: batch.creditsCharged,
    reused: batch.reused,
    created_at: batch.createdAt.toISOString(),
    started_at: batch.startedAt?.toISOString() ?? null,
    completed_at: batch.finishedAt?.toISOString() ?? null,
    estimated_completion_at: estimatedEnd(batch, now)?.toISOString() ?? null,
    expires_at: batch.expiresAt?.toISOString() ?? null,
    retention_days: batch.retentionDays,
  };
}

function waitingBody({ count, nextTryAt, until, reasons }: WaitingItems): object {
  return { count, next_try_at: nextTryAt.toISOString(), until: until.toISOString(), reasons };
}
