import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { neededFor } from '../../keys/access/audience.js';
import { BatchController } from '../../batch/http/batch.controller.js';
import { BatchService } from '../../batch/batch.service.js';
import { settingsOf } from '../../batch/intake/body.js';
import { ADDRESSES } from '../../batch/model/batch-kind.js';
import { CREDIT_PRICES, type CreditPrices, KEY_POLICIES, type KeyPolicies } from '../../platform/config/policies.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ADDING, creditsText, type Tool, type ToolCall, type ToolResult } from './tool.js';
import { count, id, idempotencyKey, maxCredits } from './tool-schemas.js';

/* About what a batch of this size takes when its servers answer. */
const RETRY_SECONDS = 3;

const inputOf = (maxEmails: number) =>
  z.object({
    // The tool tells itself when there are too many, with the code that the REST interface has for it.
    emails: z
      .array(z.string().max(1000))
      .min(1)
      .meta({ maxItems: maxEmails })
      .describe('Addresses; repeated ones are charged once.'),
    name: z.string().trim().min(1).max(200).optional().describe('A name for the list that the batch becomes.'),
    max_credits: maxCredits(),
    idempotency_key: idempotencyKey(),
  });

type Input = ReturnType<typeof inputOf>;

@Injectable()
export class VerifyBatchTool implements Tool<Input> {
  readonly name = 'verify_batch';
  readonly title = 'Verify several email addresses';
  readonly description: string;
  readonly annotations = ADDING;
  readonly input: Input;
  readonly output = z.object({
    batch_id: id(),
    status: z.literal('queued'),
    total_emails: count(),
    unique_emails: count(),
  });
  readonly needs = neededFor(BatchController, 'submit');

  /** For every kind of key: what an agent's batch holds. Longer lists go through the REST interface. */
  private readonly maxEmails: number;

  constructor(
    private readonly batches: BatchService,
    @Inject(KEY_POLICIES) { agent }: KeyPolicies,
    @Inject(CREDIT_PRICES) { verify }: CreditPrices,
  ) {
    this.maxEmails = agent.batchSize;
    this.input = inputOf(agent.batchSize);
    this.description = [
      `Verifies 2 to ${agent.batchSize} email addresses in the background. Use it for a list; for one address use verify_email, which answers at once.`,
      `Costs ${creditsText(verify.costCredits)} for each distinct address (all are reserved now; estimate_cost tells beforehand), needs an API key.`,
      'Returns batch_id at once, without verdicts. Then call get_batch_status with it, every retry_after seconds, until status is completed, and read the verdicts with get_list (list_id is the batch_id).',
      `Addresses whose servers ask to come back later are tried again, which may take 15 minutes.`,
    ].join(' ');
  }

  async run({ emails, name, max_credits }: z.infer<Input>, call: ToolCall): Promise<ToolResult> {
    const principal = call.requirePrincipal();
    const limit = Math.min(this.maxEmails, principal.policy.batchSize);
    if (emails.length > limit) {
      const message = `A batch holds at most ${limit} emails here.`;
      throw new AppError('too_many_emails', { message, body: { limit } });
    }
    const settings = settingsOf({ name, max_credits });
    const taken = await this.batches.submit(principal, ADDRESSES, rowsOf(emails), settings, call.claim);
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
  yield emails.map((email) => ({ item: email, extraColumns: null }));
}
