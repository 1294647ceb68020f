import { type Ceiling, type CeilingRow, ceilingsAt } from '../../keys/ceilings/ceilings.js';
import { AppError } from '../../platform/errors/app-error.js';

/** The ceiling that leaves less than the work may cost, of several the one that lasts the longest; null when there is none. */
export function findReached(row: CeilingRow, requiredCredits: number, now: number): Ceiling | null {
  return ceilingsAt(row, now).find(({ credits, used }) => used + requiredCredits > credits) ?? null;
}

export function ceilingReached({ name, credits, used, resetsAt }: Ceiling, required: number): AppError {
  return new AppError('key_ceiling_reached', {
    message: `The work may cost ${required} credits. The ceiling ${name} of this key is ${credits}, and ${used} are used.`,
    body: { required, ceiling: name, credits, used, resets_at: resetsAt?.toISOString() ?? null },
  });
}
