import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { neededFor } from '../../keys/access/audience.js';
import { VerifyController } from '../../verify/verify.controller.js';
import {
  CREDIT_PRICES,
  type CreditPrices,
  KEY_POLICIES,
  type KeyPolicies,
  REASON_TEXTS,
} from '../../platform/config/policies.js';
import type { ReasonTexts } from '../../platform/config/reason-texts.js';
import { AgentPresenter } from '../../presenting/agent.presenter.js';
import { explanationOf } from '../../presenting/verdict-meanings.js';
import { VerifyService } from '../../verify/verify.service.js';
import { ADDING, creditsText, type Tool, type ToolCall, type ToolResult } from './tool.js';
import { idempotencyKey, maxCredits, verdictFields } from './tool-schemas.js';

/* Clients give a tool a minute, most of them; the REST interface's default is well within it. */
const BUDGET_MS = 15_000;

const input = z.object({
  email: z.string().max(1000).describe('One address, such as jane@example.com.'),
  max_credits: maxCredits(),
  idempotency_key: idempotencyKey(),
});

@Injectable()
export class VerifyEmailTool implements Tool<typeof input> {
  readonly name = 'verify_email';
  readonly title = 'Verify one email address';
  readonly description: string;
  readonly annotations = ADDING;
  readonly input = input;
  readonly output = z.object({
    ...verdictFields,
    explanation: z.string(),
  });
  readonly needs = neededFor(VerifyController, 'verify');

  constructor(
    private readonly verifier: VerifyService,
    private readonly presenter: AgentPresenter,
    @Inject(REASON_TEXTS) private readonly reasons: ReasonTexts,
    @Inject(KEY_POLICIES) { agent }: KeyPolicies,
    @Inject(CREDIT_PRICES) { verify }: CreditPrices,
  ) {
    this.description = [
      'Tells whether one email address can receive mail, by asking its mail server without sending anything. Use it before you send to, store or rely on an address.',
      `For 2 to ${agent.batchSize} addresses use verify_batch.`,
      `Costs ${creditsText(verify.costCredits)} (unknown is free for full accounts), needs an API key, and takes up to ${BUDGET_MS / 1000} seconds.`,
      'Returns result (valid: send; invalid: do not send; risky: send with care; unknown: the server gave no answer), reason, score (0 to 100), action, and did_you_mean where the domain looks misspelt. retry_after tells when an unknown may be settled.',
    ].join(' ');
  }

  async run({ email, max_credits }: z.infer<typeof input>, call: ToolCall): Promise<ToolResult> {
    const asked = { email, budgetMs: BUDGET_MS, maxCredits: max_credits ?? null, via: 'mcp' } as const;
    const verified = await this.verifier.verify(call.requirePrincipal(), asked, call.claim);
    const { reason, retryAfterSeconds } = verified.verification;
    return {
      ...this.presenter.row(verified),
      explanation: explanationOf(verified.verification, this.reasons),
      action: this.reasons[reason]!.action,
      retry_after: retryAfterSeconds,
      credits_charged: verified.creditsCharged,
    };
  }
}
