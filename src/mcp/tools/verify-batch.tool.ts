import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { BatchService } from '../../batch/batch.service.js';
import type { IntakeSettings } from '../../batch/intake/intake-row.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ADDING, type Tool, type ToolCall, type ToolResult } from '../tool.js';
import { count, id, idempotencyKey } from '../tool-schemas.js';

/** For every kind of key: what a model can write into one call. Longer lists go through the REST interface. */
const MOST_EMAILS = 25;

/* About what a batch of this size takes when its servers answer. */
const RETRY_SECONDS = 3;

const input = z.object({
  // The tool tells itself when there are too many, with the code that the REST interface has for it.
  emails: z
    .array(z.string().max(1000))
    .min(1)
    .meta({ maxItems: MOST_EMAILS })
    .describe('Addresses; repeated ones are charged once, malformed ones are answered with invalid.'),
  name: z.string().trim().min(1).max(200).optional().describe('A name for the list that the batch becomes.'),
  idempotency_key: idempotencyKey(),
});

@Injectable()
export class VerifyBatchTool implements Tool<typeof input> {
  readonly name = 'verify_batch';
  readonly title = 'Verify several email addresses';
  readonly description = [
    `Verifies 2 to ${MOST_EMAILS} email addresses in the background. Use it for a list; for one address use verify_email, which answers at once.`,
    'Costs 1 credit for each distinct address (all are reserved now; estimate_cost tells beforehand), needs an API key.',
    'Returns batch_id at once, without verdicts. Then call get_batch_status with it, every retry_after seconds, until status is completed, and read the verdicts with get_list (list_id is the batch_id).',
    'Addresses whose servers ask to come back later are tried again, which may take 15 minutes. Agents can read results for 7 days.',
  ].join(' ');
  readonly annotations = ADDING;
  readonly input = input;
  readonly output = z.object({
    batch_id: id(),
    status: z.literal('queued'),
    total_emails: count(),
    unique_emails: count().describe('Without repeated addresses: what is verified and charged.'),
  });
  readonly needsKey = true;
  readonly usesRate = true;

  constructor(private readonly batches: BatchService) {}

  async run({ emails, name }: z.infer<typeof input>, call: ToolCall): Promise<ToolResult> {
    const principal = call.requirePrincipal();
    const limit = Math.min(MOST_EMAILS, principal.policy.batchSize);
    if (emails.length > limit) {
      const message = `A batch holds at most ${limit} emails here.`;
      throw new AppError('too_many_emails', { message, body: { limit } });
    }
    const settings: IntakeSettings = { name: name ?? null, webhookUrl: null, emailColumn: null, columns: null };
    const taken = await this.batches.submit(principal, rowsOf(emails), settings, call.claim);
    return {
      batch_id: taken.id,
      status: 'queued',
      total_emails: taken.totalRows,
      unique_emails: taken.uniqueAddresses,
      action: 'poll',
      retry_after: RETRY_SECONDS,
      next_step: `Call get_batch_status with batch_id ${taken.id} after ${RETRY_SECONDS} seconds.`,
    };
  }
}

async function* rowsOf(emails: readonly string[]) {
  yield emails.map((email) => ({ email, cells: null }));
}
