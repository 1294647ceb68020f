import { NUMBERS, type StoredResults } from './result-codec.js';
import { type ChunkResult, type Verdict } from './chunk-result.js';
import { domainPartOf } from './domain-part.js';
import { CHUNK_SIZE } from './row-ref.js';
import { type Fact, fromFact } from './fact.js';
import { checkPackedVersion } from './packed-version.js';

/** The results of one pass over a chunk. Each is built when it is asked for, because a download holds a hundred passes at a time. */
export class ResultDecoder {
  private readonly packed: Omit<StoredResults, 'numbers'>;
  private readonly numbers: Float64Array;
  /** By offset: the index at which an address's numbers begin, plus one; 0 for an address that this pass did not settle. */
  private readonly begins = new Uint16Array(CHUNK_SIZE);

  /**
   * @param emails the texts that were verified, by offset
   * @throws Error when another release of the service packed the results
   */
  constructor(
    text: string,
    private readonly emails: readonly string[],
  ) {
    const { numbers, ...packed } = JSON.parse(text) as StoredResults;
    checkPackedVersion(packed);
    this.packed = packed;
    this.numbers = new Float64Array(numbers);
    for (let at = 0; at < numbers.length; at += NUMBERS) this.begins[numbers[at]!] = at + 1;
  }

  /** Null for an address that this pass did not settle. */
  verdictAt(offset: number): Verdict | null {
    return this.factAt(offset)?.verdict ?? null;
  }

  /** What many addresses have in common: those that share it are given the same object. Null for an address that this pass did not settle. */
  factAt(offset: number): Fact | null {
    const at = this.begins[offset]! - 1;
    return at < 0 ? null : this.packed.facts[this.numbers[at + 1]!]!;
  }

  /** The domain of an address that this pass settled, as rows are counted and filtered by it; null for what is none, and what was erased. */
  domainAt(offset: number): string | null {
    const normalized = this.normalizedAt(offset);
    return normalized === null || normalized === '' ? null : domainPartOf(normalized).toLowerCase();
  }

  /**
   * The result for an address that this pass settled.
   * @param repeat the text of a further row with the same address, perhaps in another case: only the first row is charged
   */
  at(offset: number, repeat?: string): ChunkResult {
    const { numbers } = this;
    const { facts, hosts, texts, since, names } = this.packed;
    const at = this.begins[offset]! - 1;
    const fact = facts[numbers[at + 1]!]!;
    const [mxHost, evidenceHost, evidenceAddress] = hosts[numbers[at + 2]!]!;
    const name = names[offset];
    const verification = fromFact(fact, {
      email: repeat ?? this.emails[offset]!,
      normalizedEmail: this.normalizedAt(offset),
      didYouMean: name === undefined ? null : name[1],
      mxHost,
      evidence: {
        mxHost: evidenceHost,
        mxAddress: evidenceAddress,
        text: texts[numbers[at + 3]!]!,
        at: since + numbers[at + 4]!,
      },
      checkedAt: since + numbers[at + 5]!,
    });
    const creditsCharged = repeat === undefined ? fact.creditsCharged : 0;
    return { offset, creditsCharged, latencyMs: numbers[at + 6]!, verification };
  }

  /** The normalized address, for an address that this pass settled; null when it is none. */
  private normalizedAt(offset: number): string | null {
    const name = this.packed.names[offset];
    return name === undefined || name[0] === '' ? this.emails[offset]! : name[0];
  }
}
