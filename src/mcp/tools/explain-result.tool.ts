import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { REASON_TEXTS } from '../../platform/config/policies.js';
import type { ReasonText, ReasonTexts } from '../../platform/config/reason-texts.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ALL_REASONS, VERDICTS } from '../../presenting/verification.reply.js';
import { VERDICT_MEANINGS } from '../../presenting/verdict-meanings.js';
import { type Tool, type ToolResult } from './tool.js';

type Verdict = ReasonText['verdict'];

const input = z.object({
  reason: z.string().max(100).optional().describe('A reason as verify_email returns it, such as catch_all.'),
  result: z.enum(VERDICTS).optional().describe('A verdict; its reasons come back with it.'),
});

const explained = {
  result: z.enum(VERDICTS),
  explanation: z.string(),
};

@Injectable()
export class ExplainResultTool implements Tool<typeof input> {
  readonly name = 'explain_result';
  readonly title = 'What a verdict or a reason means';
  readonly description = [
    'Explains a reason (such as catch_all or greylisted) or a verdict (valid, invalid, risky, unknown), and what to do about an address that has it.',
    'Use it to tell a person why an address was judged as it was.',
    'Costs nothing and needs no API key. Returns explanation and action; for a verdict also all its reasons.',
  ].join(' ');
  readonly input = input;
  readonly output = z.object({
    reason: z.string().nullable(),
    ...explained,
    reasons: z.array(z.object({ reason: z.string(), explanation: z.string(), action: z.string() })),
  });
  readonly needsKey = false;
  readonly needs = [];

  constructor(@Inject(REASON_TEXTS) private readonly texts: ReasonTexts) {}

  async run({ reason, result }: z.infer<typeof input>): Promise<ToolResult> {
    if (reason !== undefined) return this.explainReason(reason);
    if (result !== undefined) return this.explainVerdict(result);
    throw wrong('give a reason or a result');
  }

  private explainReason(reason: string): ToolResult {
    const text = Object.hasOwn(this.texts, reason) ? this.texts[reason] : undefined;
    if (text === undefined) throw wrong(`reason must be one of ${ALL_REASONS.join(', ')}`);
    const { verdict, explanation, action } = text;
    return { reason, result: verdict, explanation, action, next_step: nextStepOf(action), reasons: [] };
  }

  private explainVerdict(result: Verdict): ToolResult {
    const { explanation, action } = VERDICT_MEANINGS[result];
    const reasons = Object.entries(this.texts)
      .filter(([, { verdict }]) => verdict === result)
      .map(([reason, text]) => ({ reason, explanation: text.explanation, action: text.action }));
    return { reason: null, result, explanation, action, next_step: nextStepOf(action), reasons };
  }
}

/** When to try again depends on the address, which nobody has named here. */
function nextStepOf(action: string): string | null {
  return action === 'retry_later' ? 'For an address, retry_after of verify_email and get_list says when.' : null;
}

function wrong(error: string): AppError {
  return new AppError('invalid_input', { fields: [{ field: 'reason', error }] });
}
