import type { VerifiedAddress } from '../verify/verify.service.js';

export type Verification = VerifiedAddress['verification'];
export type Verdict = Verification['verdict'];

/** The final answer for one address of a chunk. */
export interface ChunkResult {
  /** Place in the chunk, from 0. */
  readonly offset: number;
  readonly verification: Verification;
  readonly creditsCharged: number;
  readonly latencyMs: number;
  /** Whether its owner asked not to be found, where the account wants to hear it; looked up when it is read. */
  readonly suppressed?: boolean;
  /** Of a batch of people; the verification is the one that decided. */
  readonly found?: VerifiedAddress['found'];
}

/** What differs from address to address, beside what many have in common. */
export type Own = readonly [
  offset: number,
  fact: number,
  normalizedEmail: string | null,
  didYouMean: string | null,
  text: string | null,
  learnedAt: number,
  checkedAt: number,
  latencyMs: number,
];

export type Fact = Omit<Verification, 'email' | 'normalizedEmail' | 'didYouMean' | 'checkedAt' | 'evidence'> & {
  readonly evidence: Omit<Verification['evidence'], 'text' | 'at'>;
  readonly creditsCharged: number;
};

/** A round's answers as they are kept, as JSON. */
export interface StoredRound {
  readonly facts: readonly Fact[];
  readonly rows: readonly Own[];
}

/** What is written for each address although others have the fact in common. */
const OWN: ReadonlySet<string> = new Set(['email', 'normalizedEmail', 'didYouMean', 'checkedAt', 'text', 'at']);

/**
 * A round's answers on their way into one text. Addresses of a domain have nearly everything in common, which is written once. What is
 * added is written at once: kept as objects until a thousand are there, answers grow old, and the garbage collector pays for it.
 */
export class ResultsEncoder {
  private readonly facts: string[] = [];
  private readonly rows: string[] = [];
  /** By mail host and reason, so that few are compared: that costs a tenth of writing each one down. */
  private readonly known = new Map<string, { readonly result: ChunkResult; readonly number: number }[]>();

  get count(): number {
    return this.rows.length;
  }

  add(result: ChunkResult): void {
    const { normalizedEmail, email, didYouMean, evidence, checkedAt } = result.verification;
    const own: Own = [
      result.offset,
      this.factOf(result),
      normalizedEmail === email ? '' : normalizedEmail,
      didYouMean,
      evidence.text,
      evidence.at,
      checkedAt,
      result.latencyMs,
    ];
    this.rows.push(JSON.stringify(own));
  }

  toString(): string {
    return `{"facts":[${this.facts.join(',')}],"rows":[${this.rows.join(',')}]}`;
  }

  private factOf(result: ChunkResult): number {
    const { mxHost, reason } = result.verification;
    const key = `${mxHost ?? ''} ${reason}`;
    const alike = this.known.get(key) ?? [];
    const same = alike.find((one) => isSameFact(one.result, result));
    if (same !== undefined) return same.number;
    this.known.set(key, [...alike, { result, number: this.facts.length }]);
    return this.facts.push(JSON.stringify(toFact(result))) - 1;
  }
}

function isSameFact(a: ChunkResult, b: ChunkResult): boolean {
  return a.creditsCharged === b.creditsCharged && isAlike(a.verification, b.verification);
}

function isAlike(a: object, b: object): boolean {
  for (const key in a) {
    const [one, other] = [a[key as never], b[key as never]] as [unknown, unknown];
    if (one === other || OWN.has(key)) continue;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    if (!isAlike(one, other)) return false;
  }
  return true;
}

function toFact({ verification, creditsCharged }: ChunkResult): Fact {
  const { email: _e, normalizedEmail: _n, didYouMean: _d, checkedAt: _c, evidence, ...rest } = verification;
  const { text: _t, at: _a, ...common } = evidence;
  return { ...rest, evidence: common, creditsCharged };
}
