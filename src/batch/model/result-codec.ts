import type { Verification, ChunkResult } from './chunk-result.js';
import { type Fact, isFactOf, toFact } from './fact.js';
import { PACKED_VERSION } from './packed-version.js';

/** The domain's first mail host, then name and address of the one that gave the evidence. */
export type Hosts = readonly [mxHost: string | null, evidenceHost: string | null, evidenceAddress: string | null];

/**
 * The results of one pass over a chunk as they are stored, as JSON. The numbers of all addresses are in one array, which is read
 * faster than one array for each.
 */
export interface StoredResults {
  readonly v: typeof PACKED_VERSION;
  readonly facts: readonly Fact[];
  readonly hosts: readonly Hosts[];
  /** The evidence of mail hosts. */
  readonly texts: readonly (string | null)[];
  /** Times count from here, in milliseconds since 1970. */
  readonly since: number;
  /** `NUMBERS` for each address: offset, indexes of fact, hosts and text, when the fact was learned, when the address was checked, latency. */
  readonly numbers: readonly number[];
  /**
   * By offset, where the address differs or has a suggestion: the normalized address, '' when it is as sent, and the suggestion.
   */
  readonly names: Readonly<Record<number, readonly [normalizedEmail: string | null, didYouMean: string | null]>>;
}

export const NUMBERS = 7;

/**
 * Packs the results of one pass over a chunk into one text. It keeps numbers for each address, and shared facts and texts once: a
 * thousand result objects that wait for the end of the pass would be promoted to V8's old generation, where collecting them is
 * slow.
 */
export class ResultEncoder {
  private readonly facts: Fact[] = [];
  /** Indexes of facts by reason, so that few are compared. */
  private readonly factsByReason = new Map<Verification['reason'], number[]>();
  private readonly hosts: Hosts[] = [];
  private readonly hostsIndexes = new Map<string, number>();
  private lastHosts = 0;
  private readonly texts = new Map<string | null, number>();
  private since = 0;
  private readonly numbers: number[] = [];
  private readonly names: Record<number, readonly [string | null, string | null]> = {};

  get count(): number {
    return this.numbers.length / NUMBERS;
  }

  add(result: ChunkResult): void {
    const { offset, verification, latencyMs } = result;
    const { normalizedEmail, email, didYouMean, evidence, checkedAt } = verification;
    if (this.numbers.length === 0) this.since = checkedAt;
    this.numbers.push(
      offset,
      this.indexOfFact(result),
      this.indexOfHosts(verification),
      this.indexOfText(evidence.text),
      evidence.at - this.since,
      checkedAt - this.since,
      latencyMs,
    );
    if (normalizedEmail !== email || didYouMean !== null)
      this.names[offset] = [normalizedEmail === email ? '' : normalizedEmail, didYouMean];
  }

  toString(): string {
    const { facts, hosts, since, numbers, names } = this;
    return JSON.stringify({
      v: PACKED_VERSION,
      facts,
      hosts,
      texts: [...this.texts.keys()],
      since,
      numbers,
      names,
    } satisfies StoredResults);
  }

  private indexOfFact(result: ChunkResult): number {
    const { reason } = result.verification;
    const candidates = this.factsByReason.get(reason) ?? [];
    for (const index of candidates) if (isFactOf(this.facts[index]!, result)) return index;
    const index = this.facts.push(toFact(result)) - 1;
    this.factsByReason.set(reason, [...candidates, index]);
    return index;
  }

  /** Neighbouring addresses mostly have the same hosts, and then no key is built. */
  private indexOfHosts({ mxHost, evidence }: Verification): number {
    const last = this.hosts[this.lastHosts];
    if (last?.[0] === mxHost && last[1] === evidence.mxHost && last[2] === evidence.mxAddress) return this.lastHosts;
    const key = `${mxHost ?? ''} ${evidence.mxHost ?? ''} ${evidence.mxAddress ?? ''}`;
    let index = this.hostsIndexes.get(key);
    if (index === undefined) {
      index = this.hosts.push([mxHost, evidence.mxHost, evidence.mxAddress]) - 1;
      this.hostsIndexes.set(key, index);
    }
    return (this.lastHosts = index);
  }

  private indexOfText(text: string | null): number {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.texts.set(text, this.texts.size);
    return this.texts.size - 1;
  }
}
