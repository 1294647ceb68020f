/** Who wants to know. */
export interface Asker {
  /** Those who wait for the same resolver or mail hosts take turns by this name; null for a single verification, which waits behind no list. */
  readonly turn: string | null;
  /** Whose question it is, or for whom it is asked; null: our own. Accounts share the resolver's places. */
  readonly account: string | null;
  /** Its probes go before those of lists: a caller waits for this verification, or other answers depend on it. */
  readonly urgent: boolean;
  /** How long connections are kept for more of its probes, which may follow for the same mail host; 0: not at all. */
  readonly keepWarmMs: number;
}

/** Who asks about single addresses often asks about the next one soon. */
export const SINGLE_KEEP_WARM_MS = 5_000;

export function singleOf(account: string | null): Asker {
  return { turn: null, account, urgent: true, keepWarmMs: SINGLE_KEEP_WARM_MS };
}
