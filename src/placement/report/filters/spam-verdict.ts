/** What a spam filter of the operator says of a message. */
export interface SpamVerdict {
  readonly engine: 'rspamd' | 'spamassassin';
  /** Null: it did not answer in time, or not as it should. */
  readonly score: number | null;
  /** From this score on it is spam. */
  readonly required: number | null;
  /** The rules that matched, the heaviest first. */
  readonly symbols: readonly SpamSymbol[];
}

export interface SpamSymbol {
  readonly name: string;
  readonly score: number;
  readonly description: string | null;
}

const MAX_SYMBOLS = 100;
const MAX_TEXT = 300;

export function noVerdict(engine: SpamVerdict['engine']): SpamVerdict {
  return { engine, score: null, required: null, symbols: [] };
}

/** The heaviest first, and no more of them or of their texts than anybody reads. */
export function heaviestFirst(symbols: readonly SpamSymbol[]): readonly SpamSymbol[] {
  return symbols
    .toSorted((one, other) => Math.abs(other.score) - Math.abs(one.score))
    .slice(0, MAX_SYMBOLS)
    .map(({ name, score, description }) => ({
      name: name.slice(0, MAX_TEXT),
      score,
      description: description?.slice(0, MAX_TEXT) ?? null,
    }));
}
