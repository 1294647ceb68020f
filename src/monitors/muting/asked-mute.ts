import { invalidField } from '../../platform/errors/app-error.js';

/** What an owner wants of a finding or of a block list; undefined: it stays. */
export interface AskedMute {
  readonly until: Date | null | undefined;
  readonly note: string | null | undefined;
}

/** @throws AppError `invalid_input` where it asks for nothing, or for a time that has passed */
export function checkAskedMute({ until, note }: AskedMute, now: Date): void {
  if (until === undefined && note === undefined)
    throw invalidField('muted_until', 'must be a time such as 2027-01-31T12:00:00Z, or null');
  if (until instanceof Date && until <= now) throw invalidField('muted_until', 'must lie ahead');
}
