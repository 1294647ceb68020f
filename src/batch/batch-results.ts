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
}

/** What differs from address to address, beside what many have in common. */
type Own = readonly [
  offset: number,
  fact: number,
  normalizedEmail: string | null,
  didYouMean: string | null,
  text: string | null,
  learnedAt: number,
  checkedAt: number,
  latencyMs: number,
];

type Fact = Omit<Verification, 'email' | 'normalizedEmail' | 'didYouMean' | 'checkedAt' | 'evidence'> & {
  readonly evidence: Omit<Verification['evidence'], 'text' | 'at'>;
  readonly creditsCharged: number;
};

interface Stored {
  readonly facts: readonly Fact[];
  readonly rows: readonly Own[];
}

/** As one text: addresses of a domain have nearly everything in common, which is written once. */
export function encodeResults(results: readonly ChunkResult[]): string {
  const facts = new Map<string, number>();
  const rows = results.map((result): Own => {
    const { verification, latencyMs } = result;
    const fact = JSON.stringify(factOf(result));
    const number = facts.get(fact) ?? facts.size;
    if (number === facts.size) facts.set(fact, number);
    const { normalizedEmail, didYouMean, evidence, checkedAt } = verification;
    return [
      result.offset,
      number,
      normalizedEmail === verification.email ? '' : normalizedEmail,
      didYouMean,
      evidence.text,
      evidence.at,
      checkedAt,
      latencyMs,
    ];
  });
  return `{"facts":[${[...facts.keys()].join(',')}],"rows":${JSON.stringify(rows)}}`;
}

/** A round's answers by offset. `emailOf` tells the text that was verified. */
export function decodeResults(text: string, emailOf: (offset: number) => string): ChunkResult[] {
  const { facts, rows } = JSON.parse(text) as Stored;
  return rows.map(([offset, number, normalized, didYouMean, evidenceText, at, checkedAt, latencyMs]) => {
    const { creditsCharged, evidence, ...fact } = facts[number]!;
    const email = emailOf(offset);
    return {
      offset,
      creditsCharged,
      latencyMs,
      verification: {
        ...fact,
        email,
        normalizedEmail: normalized === '' ? email : normalized,
        didYouMean,
        evidence: { ...evidence, text: evidenceText, at },
        checkedAt,
      },
    };
  });
}

function factOf({ verification, creditsCharged }: ChunkResult): Fact {
  const { email: _e, normalizedEmail: _n, didYouMean: _d, checkedAt: _c, evidence, ...rest } = verification;
  const { text: _t, at: _a, ...common } = evidence;
  return { ...rest, evidence: common, creditsCharged };
}
