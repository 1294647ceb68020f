import { type Batch, estimatedEnd, processedOf } from './batch.lifecycle.js';

/** The status body of contract section 4. */
export function batchBody(batch: Batch, now: number): object {
  const processed = processedOf(batch);
  return {
    id: batch.id,
    status: batch.state,
    name: batch.name,
    ...(batch.kind === 'find'
      ? { total_people: batch.totalRows, unique_people: batch.uniqueAddresses }
      : { total_emails: batch.totalRows, unique_emails: batch.uniqueAddresses }),
    processed,
    progress: batch.totalRows === 0 ? 0 : Math.floor((processed / batch.totalRows) * 10_000) / 10_000,
    counts: batch.counts,
    credits_reserved: batch.creditsReserved,
    credits_charged: batch.creditsCharged,
    created_at: batch.createdAt.toISOString(),
    started_at: batch.startedAt?.toISOString() ?? null,
    completed_at: batch.finishedAt?.toISOString() ?? null,
    estimated_completion_at: estimatedEnd(batch, now)?.toISOString() ?? null,
  };
}
