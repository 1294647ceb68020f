import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { neededFor } from '../../keys/access/audience.js';
import { CreditsController } from '../../credits/credits.controller.js';
import { CreditsService } from '../../credits/credits.service.js';
import { snakeRow } from '../../lib/snake-case.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { type Tool, type ToolCall, type ToolResult } from './tool.js';
import { count, time } from './tool-schemas.js';

const input = z.object({});

@Injectable()
export class GetCreditBalanceTool implements Tool<typeof input> {
  readonly name = 'get_credit_balance';
  readonly title = 'Credits that are left';
  readonly description = [
    'Tells how many credits the key can spend now, and when free ones start again. Use it before a large piece of work, or after a credits_insufficient.',
    'For what a piece of work would cost use estimate_cost. Costs nothing, needs an API key.',
    'Returns credits_remaining, and either daily (an agent key: free credits of the UTC day) or balance (a full account); the other one is null.',
  ].join(' ');
  readonly input = input;
  readonly output = z.object({
    daily: z
      .object({
        daily_free_credits: count(),
        used_today: count(),
        reserved: count(),
        paid_remaining: count().nullable(),
        resets_at: time(),
        shared_capacity_available: z.boolean(),
      })
      .nullable(),
    balance: z
      .object({
        plan: z.string(),
        reserved: count(),
        used_total: count(),
        low: z.boolean(),
      })
      .nullable(),
  });
  readonly needs = neededFor(CreditsController, 'status');

  constructor(
    private readonly credits: CreditsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async run(_: z.infer<typeof input>, call: ToolCall): Promise<ToolResult> {
    const status = await this.credits.getStatus(call.requirePrincipal());
    const { remaining } = status;
    if (status.source === 'balance') {
      const { plan, reserved, usedTotal, low } = status;
      const balance = snakeRow({ plan, reserved, usedTotal, low });
      return { daily: null, balance, credits_remaining: remaining, action: remaining > 0 ? 'none' : 'add_credits' };
    }
    const { dailyFreeCredits, usedToday, reserved, paidRemaining, resetsAt, sharedCapacityAvailable } = status;
    const waitMs = resetsAt.getTime() - this.clock.now();
    const canSpend = (paidRemaining ?? 0) > 0 || (remaining > 0 && sharedCapacityAvailable);
    return {
      daily: snakeRow({ dailyFreeCredits, usedToday, reserved, paidRemaining, resetsAt, sharedCapacityAvailable }),
      balance: null,
      credits_remaining: remaining,
      action: canSpend ? 'none' : 'retry_later',
      retry_after: canSpend ? null : Math.max(1, Math.ceil(waitMs / 1000)),
      next_step: canSpend ? null : 'Nothing can be spent before resets_at.',
    };
  }
}
