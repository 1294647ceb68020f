import { invalidField } from '../../platform/errors/app-error.js';

/** What an owner has set to say nothing of, or has written to it. */
export interface Mute {
  /** Null: it is told of. */
  readonly until: Date | null;
  readonly note: string | null;
}

/** What an owner asks for; undefined: it stays. */
export type AskedMute = { readonly [Member in keyof Mute]: Mute[Member] | undefined };

/** @throws AppError `invalid_input` where it asks for nothing, or for a time that has passed */
export function checkAskedMute({ until, note }: AskedMute, now: Date): void {
  if (until === undefined && note === undefined)
    throw invalidField('muted_until', 'must be a time such as 2027-01-31T12:00:00Z, or null');
  if (until instanceof Date && until <= now) throw invalidField('muted_until', 'must be a time that lies ahead');
}

export function muteAfter(before: Mute, { until, note }: AskedMute): Mute {
  return { until: until === undefined ? before.until : until, note: note === undefined ? before.note : note };
}

/** What a change made of it, in the word of the timeline; null: nothing that anybody would notice. */
export function muteChange(before: Mute, after: Mute, now: Date): 'muted' | 'unmuted' | 'noted' | null {
  const untilOf = ({ until }: Mute): number | null => (until === null || until <= now ? null : until.getTime());
  if (untilOf(before) !== untilOf(after)) return untilOf(after) === null ? 'unmuted' : 'muted';
  return before.note === after.note ? null : 'noted';
}
