import { type Ceiling, type CeilingRow, ceilingsAt } from '../../keys/scope/ceilings.js';
import { AppError } from '../../platform/errors/app-error.js';
import { counted } from '../../platform/counted.js';

/** The ceiling that leaves less than the work may cost, of several the one that lasts the longest; null when there is none. */
export function findReached(row: CeilingRow, requiredCredits: number, now: number): Ceiling | null {
  return ceilingsAt(row, now).find(({ credits, used }) => used + requiredCredits > credits) ?? null;
}

export function ceilingReached({ name, credits, used, resetsAt }: Ceiling, required: number): AppError {
  return new AppError('key_ceiling_reached', {
    message: `The work may cost ${counted(required, 'credit')}. The ceiling ${name} of this key is ${credits}, and ${counted(used, 'is', 'are')} used.`,
    body: { required, ceiling: name, credits, used, resets_at: resetsAt?.toISOString() ?? null },
  });
}

/**
 * The same of an agent that an account has claimed, whose free credits start again by themselves.
 * @param body of the refusal above, with `resets_at` of the free credits
 */
export function agentCeilingReached(keyId: string, body: Readonly<Record<string, unknown>>): AppError {
  const message =
    `Today's free credits do not suffice, and the ceiling ${String(body['ceiling'])} of this agent is ${String(body['credits'])}, of which ${counted(Number(body['used']), 'is', 'are')} used. ` +
    `The free ones start again at ${String(body['resets_at'])}; whoever has claimed the agent can raise its ceilings before: PATCH /api/v1/keys/${keyId}.`;
  return new AppError('key_ceiling_reached', { message, body });
}
