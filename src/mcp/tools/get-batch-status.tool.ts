import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { neededFor } from '../../keys/access/audience.js';
import { BatchController } from '../../batch/http/batch.controller.js';
import { batchStatus, ADDRESSES } from '../../batch/model/batch-kind.js';
import { type Batch, BATCH_STATES, isFinished, retrySecondsOf } from '../../batch/model/batch.js';
import { BatchService } from '../../batch/batch.service.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { type Tool, type ToolCall, type ToolResult } from './tool.js';
import { count, counts, id, time } from './tool-schemas.js';

const SOONEST_SECONDS = 2;

/** What is told in other words, or not at all. */
const UNTOLD = ['id', 'quote', 'reused', 'waiting', 'credits_charged', 'expires_at', 'retention_days', 'list_id'];

const input = z.object({ batch_id: id().describe('From verify_batch.') });

@Injectable()
export class GetBatchStatusTool implements Tool<typeof input> {
  readonly name = 'get_batch_status';
  readonly title = 'How far a batch is';
  readonly description = [
    'Tells how far a batch is that verify_batch has taken. Use it every retry_after seconds until status is completed (or failed or cancelled), then read the verdicts with get_list.',
    'Costs nothing, needs an API key; each call counts against its rate, so wait retry_after seconds.',
    `Returns status (${BATCH_STATES.join(', ')}), progress from 0 to 1, counts by verdict so far, credits, and list_id once it is completed.`,
  ].join(' ');
  readonly input = input;
  readonly output = z.object({
    batch_id: id(),
    list_id: id().nullable(),
    status: z.enum(BATCH_STATES),
    name: z.string().nullable(),
    total_emails: count(),
    unique_emails: count(),
    processed: count(),
    progress: z.number().min(0).max(1),
    counts: counts(),
    waiting_emails: count(),
    next_try_at: time().nullable(),
    credits_reserved: count(),
    batch_credits_charged: count(),
    created_at: time(),
    started_at: time().nullable(),
    completed_at: time().nullable(),
    estimated_completion_at: time().nullable(),
  });
  readonly needs = neededFor(BatchController, 'status');

  constructor(
    private readonly batches: BatchService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async run({ batch_id }: z.infer<typeof input>, call: ToolCall): Promise<ToolResult> {
    const batch = await this.batches.get(call.requirePrincipal(), ADDRESSES, batch_id);
    const now = this.clock.now();
    const told = Object.entries(batchStatus(batch, now)).filter(([name]) => !UNTOLD.includes(name));
    const listId = batch.state === 'completed' ? batch_id : null;
    const waiting = {
      waiting_emails: batch.waiting?.count ?? 0,
      next_try_at: batch.waiting?.nextTryAt.toISOString() ?? null,
    };
    const charged = { batch_credits_charged: batch.creditsCharged };
    return {
      batch_id,
      list_id: listId,
      ...Object.fromEntries(told),
      ...waiting,
      ...charged,
      ...nextStepOf(batch, now),
    };
  }
}

const HELD =
  'The batch is held until somebody starts it over the REST interface (POST …/{id}/start), which reserves its credits; no tool does.';

function nextStepOf(batch: Batch, now: number): Pick<ToolResult, 'action' | 'retry_after' | 'next_step'> & ToolResult {
  if (batch.state === 'completed')
    return { action: 'get_list', next_step: `Call get_list with list_id ${batch.id} for the verdicts.` };
  if (batch.state === 'held') return { action: 'none', next_step: HELD };
  if (isFinished(batch.state))
    return { action: 'none', next_step: 'The batch has ended without a list; what was not verified costs nothing.' };
  const wait = retrySecondsOf(batch, now, SOONEST_SECONDS);
  return { action: 'poll', retry_after: wait, next_step: `Call get_batch_status again after ${wait} seconds.` };
}
