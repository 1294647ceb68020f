import type { Finding } from '../../finder/finder.service.js';
import { checkPackedVersion, PACKED_VERSION } from './result-codec.js';
import type { ChunkResult, RowFact, Verdict } from './chunk-result.js';

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
export class PeopleDecoder {
  private readonly results: ReadonlyMap<number, FoundResult>;

  /** @throws Error when another release of the service packed the results */
  constructor(text: string) {
    const packed = JSON.parse(text) as StoredPeople;
    checkPackedVersion(packed);
    this.results = new Map(packed.results.map((result) => [result.offset, result]));
  }

  /** Null for a person whom this pass did not settle. */
  verdictAt(offset: number): Verdict | null {
    return this.results.get(offset)?.verification.verdict ?? null;
  }

  /** Why the search ended as it did, and who runs the mail; null for a person whom this pass did not settle. */
  factAt(offset: number): RowFact | null {
    const result = this.results.get(offset);
    if (result === undefined) return null;
    const { verification, found } = result;
    return { verdict: verification.verdict, reason: found.finding.reason, provider: verification.provider };
  }

  /** The domain that was searched, as rows are counted and filtered by it; null for what is none, and what was erased. */
  domainAt(offset: number): string | null {
    const { domain, finding } = this.results.get(offset)!.found;
    return domain === '' || finding.reason === 'domain_unreadable' ? null : domain.toLowerCase();
  }

  /**
   * The result for a person whom this pass settled.
   * @param repeat the text of a further row with the same person: only the first row is charged
   */
  at(offset: number, repeat?: string): ChunkResult {
    const result = this.results.get(offset)!;
    return repeat === undefined ? result : { ...result, creditsCharged: 0 };
  }
}
