import type { Finding } from '../../finder/finder.service.js';
import type { ChunkResult, PassDecoder, RowFact, Verdict, Verification } from './chunk-result.js';
import { type Fact, fromFact, isFactOf, toFact } from './stored-fact.js';
import { CHUNK_SIZE, domainPartOf } from './row-ref.js';

/** The version of the packed results in `batch_results`. Raise it whenever their form or the meaning of a member changes. */
const PACKED_VERSION = 2;

/** @throws Error when another release of the service packed the results */
function checkPackedVersion(packed: { readonly v?: unknown }): void {
  if (packed.v !== PACKED_VERSION)
    throw new Error(`stored results have version ${String(packed.v)}, this release reads version ${PACKED_VERSION}`);
}

/** The domain's first mail host, then name and address of the one that gave the evidence. */
type Hosts = readonly [mxHost: string | null, evidenceHost: string | null, evidenceAddress: string | null];

/**
 * The results of one pass over a chunk as they are stored, as JSON. The numbers of all addresses are in one array, which is read
 * faster than one array for each.
 */
interface StoredResults {
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

const NUMBERS = 7;

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

/** The results of one pass over a chunk. Each is built when it is asked for, because a download holds a hundred passes at a time. */
export class ResultDecoder implements PassDecoder {
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

  verdictAt(offset: number): Verdict | null {
    return this.factAt(offset)?.verdict ?? null;
  }

  /** What many addresses have in common: those that share it are given the same object. */
  factAt(offset: number): Fact | null {
    const at = this.begins[offset]! - 1;
    return at < 0 ? null : this.packed.facts[this.numbers[at + 1]!]!;
  }

  domainAt(offset: number): string | null {
    const normalized = this.normalizedAt(offset);
    return normalized === null || normalized === '' ? null : domainPartOf(normalized).toLowerCase();
  }

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

/** The result for one person. */
export interface FoundResult extends ChunkResult {
  readonly found: { readonly finding: Finding; readonly domain: string };
}

/** The results of one pass over a chunk of people as they are stored, as JSON. */
interface StoredPeople {
  readonly v: typeof PACKED_VERSION;
  readonly results: readonly FoundResult[];
}

/** Packs the results of one pass over a chunk of people into one text. People have little in common, so each result is written whole. */
export class PeopleEncoder {
  private readonly results: string[] = [];

  get count(): number {
    return this.results.length;
  }

  add(result: ChunkResult): void {
    this.results.push(JSON.stringify(result));
  }

  toString(): string {
    return `{"v":${PACKED_VERSION},"results":[${this.results.join(',')}]}`;
  }
}

/** The results of one pass over a chunk of people. */
export class PeopleDecoder implements PassDecoder {
  private readonly results: ReadonlyMap<number, FoundResult>;

  /** @throws Error when another release of the service packed the results */
  constructor(text: string) {
    const packed = JSON.parse(text) as StoredPeople;
    checkPackedVersion(packed);
    this.results = new Map(packed.results.map((result) => [result.offset, result]));
  }

  verdictAt(offset: number): Verdict | null {
    return this.results.get(offset)?.verification.verdict ?? null;
  }

  /** Why the search ended as it did, and who runs the mail. */
  factAt(offset: number): RowFact | null {
    const result = this.results.get(offset);
    if (result === undefined) return null;
    const { verification, found } = result;
    return { verdict: verification.verdict, reason: found.finding.reason, provider: verification.provider };
  }

  /** The domain that was searched. */
  domainAt(offset: number): string | null {
    const { domain, finding } = this.results.get(offset)!.found;
    return domain === '' || finding.reason === 'domain_unreadable' ? null : domain.toLowerCase();
  }

  at(offset: number, repeat?: string): ChunkResult {
    const result = this.results.get(offset)!;
    return repeat === undefined ? result : { ...result, creditsCharged: 0 };
  }
}
