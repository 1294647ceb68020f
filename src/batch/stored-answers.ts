import { type ChunkResult, NUMBERS, type StoredRound, type Verdict } from './batch-results.js';
import { CHUNK_SIZE } from './intake/blocks.js';

/** The answers of one round, of which each is put together when it is asked for: a hundred rounds are open while a batch is read. */
export class StoredAnswers {
  private readonly round: Omit<StoredRound, 'numbers'>;
  private readonly numbers: Float64Array;
  /** Where an offset's numbers begin, and one more; 0 where this round settled nothing. */
  private readonly numbersOf = new Uint16Array(CHUNK_SIZE);

  /** @param emails the texts that were verified, by offset */
  constructor(
    text: string,
    private readonly emails: readonly string[],
  ) {
    const { numbers, ...round } = JSON.parse(text) as StoredRound;
    this.round = round;
    this.numbers = new Float64Array(numbers);
    for (let at = 0; at < numbers.length; at += NUMBERS) this.numbersOf[numbers[at]!] = at + 1;
  }

  /** Null for an address that this round did not settle. */
  verdictAt(offset: number): Verdict | null {
    const at = this.numbersOf[offset]! - 1;
    return at < 0 ? null : this.round.facts[this.numbers[at + 1]!]!.verdict;
  }

  /**
   * Of an address that this round settled.
   * @param repeat what a further row says that has the address of an earlier one, perhaps in another case: only the first row is charged
   */
  at(offset: number, repeat?: string): ChunkResult {
    const { numbers } = this;
    const { facts, hosts, texts, since, names } = this.round;
    const at = this.numbersOf[offset]! - 1;
    const fact = facts[numbers[at + 1]!]!;
    const [mxHost, evidenceHost, evidenceAddress] = hosts[numbers[at + 2]!]!;
    const name = names[offset];
    const asSent = this.emails[offset]!;
    // Written out member by member: by spread and rest it was 10 µs, a quarter of a download's time.
    const verification = {
      email: repeat ?? asSent,
      normalizedEmail: name === undefined || name[0] === '' ? asSent : name[0],
      verdict: fact.verdict,
      reason: fact.reason,
      score: fact.score,
      confidence: fact.confidence,
      checks: fact.checks,
      didYouMean: name === undefined ? null : name[1],
      provider: fact.provider,
      mxHost,
      retryAfterSeconds: fact.retryAfterSeconds,
      evidence: {
        stage: fact.stage,
        mxHost: evidenceHost,
        mxAddress: evidenceAddress,
        code: fact.code,
        enhanced: fact.enhanced,
        text: texts[numbers[at + 3]!]!,
        at: since + numbers[at + 4]!,
        fromCache: fact.fromCache,
      },
      checkedAt: since + numbers[at + 5]!,
    };
    const creditsCharged = repeat === undefined ? fact.creditsCharged : 0;
    return { offset, creditsCharged, latencyMs: numbers[at + 6]!, verification };
  }
}
