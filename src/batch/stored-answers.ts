import type { ChunkResult, Fact, StoredRound, Verdict } from './batch-results.js';
import { CHUNK_SIZE } from './intake/blocks.js';

/**
 * The answers of one round, of which each is put together when it is asked for. While a batch is read a hundred rounds are open, so what
 * differs from address to address stands in columns: an array for each address lived long enough for the garbage collector to copy it.
 */
export class StoredAnswers {
  private readonly facts: readonly Fact[];
  /** Row by offset, from 1; 0 where this round settled nothing. */
  private readonly rowAt = new Uint16Array(CHUNK_SIZE);
  private readonly factOf: Uint16Array;
  private readonly texts: (string | null)[] = [];
  private readonly normalized: (string | null)[] = [];
  private readonly didYouMean: (string | null)[] = [];
  /** Three to a row: when the fact was learned, when the address was checked, and for how many milliseconds. */
  private readonly times: Float64Array;

  /** @param emails the texts that were verified, by offset */
  constructor(
    text: string,
    private readonly emails: readonly string[],
  ) {
    const { facts, rows } = JSON.parse(text) as StoredRound;
    this.facts = facts;
    this.factOf = new Uint16Array(rows.length);
    this.times = new Float64Array(rows.length * 3);
    /** Replies that are the same are kept once. */
    const known = new Map<string | null, string | null>();
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      this.rowAt[row[0]] = i + 1;
      this.factOf[i] = row[1];
      this.normalized.push(row[2]);
      this.didYouMean.push(row[3]);
      if (!known.has(row[4])) known.set(row[4], row[4]);
      this.texts.push(known.get(row[4])!);
      this.times[i * 3] = row[5];
      this.times[i * 3 + 1] = row[6];
      this.times[i * 3 + 2] = row[7];
    }
  }

  /** Of the addresses that this round settled. */
  get offsets(): Iterable<number> {
    return [...this.emails.keys()].filter((offset) => this.rowAt[offset] !== 0);
  }

  /** Null for an address that this round did not settle. */
  verdictAt(offset: number): Verdict | null {
    const i = this.rowAt[offset]! - 1;
    return i < 0 ? null : this.facts[this.factOf[i]!]!.verdict;
  }

  /**
   * Of an address that this round settled.
   * @param email in the words of whoever asks: an address that was sent more than once may differ in its case
   */
  at(offset: number, email = this.emails[offset]!): ChunkResult {
    const i = this.rowAt[offset]! - 1;
    const fact = this.facts[this.factOf[i]!]!;
    const normalized = this.normalized[i]!;
    const { stage, mxHost, mxAddress, code, enhanced, fromCache } = fact.evidence;
    const [text, at] = [this.texts[i]!, this.times[i * 3]!];
    // Written out member by member: by spread and rest it was 10 µs, a quarter of a download's time.
    const verification = {
      email,
      normalizedEmail: normalized === '' ? this.emails[offset]! : normalized,
      verdict: fact.verdict,
      reason: fact.reason,
      score: fact.score,
      confidence: fact.confidence,
      checks: fact.checks,
      didYouMean: this.didYouMean[i]!,
      provider: fact.provider,
      mxHost: fact.mxHost,
      retryAfterSeconds: fact.retryAfterSeconds,
      evidence: { stage, mxHost, mxAddress, code, enhanced, text, at, fromCache },
      checkedAt: this.times[i * 3 + 1]!,
    };
    return { offset, creditsCharged: fact.creditsCharged, latencyMs: this.times[i * 3 + 2]!, verification };
  }
}
