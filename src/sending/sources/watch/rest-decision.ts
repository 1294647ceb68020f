/** A sending address of ours that rests since block lists have it. */
export interface Rest {
  readonly reason: string;
  readonly since: Date;
  /** Checks in a row that found it on no list. */
  readonly cleanChecks: number;
}

/** What the lists have said of a source in one check. */
export interface SourceObservation {
  /** Lists that have it, and whose listing makes mail hosts refuse us. */
  readonly listedOn: readonly string[];
  /** Every list that had it has answered; without that an absence is none. */
  readonly isComplete: boolean;
  /** Another source may ask in its place. */
  readonly hasOther: boolean;
}

export interface RestDecision {
  /** Null: it may ask. */
  readonly rest: Rest | null;
  /** What is new since the last check; null: nothing. */
  readonly news: 'listed' | 'delisted' | null;
}

/** One clean answer may be a list that has lost its data. */
const CLEAN_CHECKS = 2;

/**
 * Decides whether a source rests.
 *
 * A source asks or rests. A listing makes it rest, as long as another source may ask in its place: the only one goes on, since operators
 * that refuse it are left alone by their circuits, and others may not mind the list. Two complete checks in a row that find it on no list
 * end the rest; a listing, or a check in which a list was silent, begins the count anew.
 * @param wasListed a list had it at the last check
 */
export function decideRest(
  rest: Rest | null,
  wasListed: boolean,
  { listedOn, isComplete, hasOther }: SourceObservation,
  now: Date,
): RestDecision {
  if (listedOn.length > 0) {
    const reason = `listed on ${listedOn.join(', ')}`;
    const news = wasListed || rest !== null ? null : 'listed';
    if (!hasOther && rest === null) return { rest: null, news };
    return { rest: { reason, since: rest?.since ?? now, cleanChecks: 0 }, news };
  }
  if (rest === null) return { rest, news: wasListed && isComplete ? 'delisted' : null };
  if (!isComplete) return { rest: { ...rest, cleanChecks: 0 }, news: null };
  const cleanChecks = rest.cleanChecks + 1;
  return cleanChecks >= CLEAN_CHECKS
    ? { rest: null, news: 'delisted' }
    : { rest: { ...rest, cleanChecks }, news: null };
}
