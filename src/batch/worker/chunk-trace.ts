import { writeStep } from '../../platform/logging/trace.js';
import type { Batch } from '../model/batch.js';
import type { ChunkResults } from './chunk-results.js';

/** The step of chunks that are stored: how many of their addresses got which answer, and what waits for another try. */
export function writeChunks({ id, traceId }: Batch, stored: readonly ChunkResults[]): void {
  if (traceId === null) return;
  const answers: Record<string, number> = {};
  let later = 0;
  for (const { works, retryPass } of stored) {
    for (const { verdict, reason, items } of works)
      answers[`${verdict} ${reason}`] = (answers[`${verdict} ${reason}`] ?? 0) + items;
    later += retryPass?.offsets.length ?? 0;
  }
  writeStep(`chunks stored: ${stored.map(({ chunk }) => `${chunk.number} (pass ${chunk.pass})`).join(', ')}`, {
    trace_id: traceId,
    batch_id: id,
    answers,
    later,
  });
}
