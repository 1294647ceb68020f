import type { ChunkResult, Verification } from './chunk-result.js';

type Evidence = Verification['evidence'];
type Checks = Verification['checks'];

/** `fact`: kept once for all results that share it. `own`: kept for each result, by the encoder. `parts`: has a table below. */
type Kept = 'fact' | 'own' | 'parts';

/* How each member of a result is kept. Comparing and storing facts follow these tables, and the compiler asks here for a new member. */

const RESULT = {
  offset: 'own',
  verification: 'parts',
  creditsCharged: 'fact',
  latencyMs: 'own',
} as const satisfies Record<keyof Omit<ChunkResult, 'suppressed' | 'isPending' | 'found'>, Kept>;

const VERIFICATION = {
  email: 'own',
  normalizedEmail: 'own',
  verdict: 'fact',
  reason: 'fact',
  score: 'fact',
  confidence: 'fact',
  checks: 'parts',
  didYouMean: 'own',
  provider: 'fact',
  mxHost: 'own',
  retryAfterSeconds: 'fact',
  evidence: 'parts',
  checkedAt: 'own',
} as const satisfies Record<keyof Verification, Kept>;

const EVIDENCE = {
  stage: 'fact',
  mxHost: 'own',
  mxAddress: 'own',
  code: 'fact',
  enhanced: 'fact',
  text: 'own',
  at: 'own',
  fromCache: 'fact',
  witness: 'fact',
  source: 'fact',
} as const satisfies Record<keyof Evidence, Kept>;

const CHECKS = {
  syntax: 'fact',
  mx: 'fact',
  smtp: 'fact',
  catchAll: 'fact',
  disposable: 'fact',
  role: 'fact',
  free: 'fact',
  spamTrap: 'fact',
  privacyRelay: 'fact',
} as const satisfies Record<keyof Checks, 'fact'>;

type InFact<Part, Table> = Pick<
  Part,
  { [Name in keyof Table]: Table[Name] extends 'fact' ? Name : never }[keyof Table] & keyof Part
>;

/** The part that many results share, whatever their addresses and mail hosts. */
export type Fact = InFact<ChunkResult, typeof RESULT> &
  InFact<Verification, typeof VERIFICATION> &
  InFact<Evidence, typeof EVIDENCE> & { readonly checks: Checks };

/** The part of a verification that the encoder keeps for each result. */
interface OwnPart extends Pick<Verification, 'email' | 'normalizedEmail' | 'didYouMean' | 'mxHost' | 'checkedAt'> {
  readonly evidence: Pick<Evidence, 'mxHost' | 'mxAddress' | 'text' | 'at'>;
}

/** Comparisons of each member of a fact with the same member of a result. */
const COMPARISONS = [
  ...comparisons(RESULT, 'fact', 'result'),
  ...comparisons(VERIFICATION, 'fact', 'verification'),
  ...comparisons(EVIDENCE, 'fact', 'evidence'),
  ...comparisons(CHECKS, 'fact.checks', 'checks'),
];

/**
 * Whether the result has this fact. The encoder compares several facts for each address, so the comparison is compiled once from
 * the tables: V8 runs it like one written out member by member, and much faster than a loop over names or functions.
 */
// oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- nothing but the names above goes into it
export const isFactOf = new Function(
  'fact',
  'result',
  `const { verification } = result;
   const { evidence, checks } = verification;
   return ${COMPARISONS.join(' && ')};`,
) as (fact: Fact, result: ChunkResult) => boolean;

export function toFact({ verification, creditsCharged }: ChunkResult): Fact {
  const { verdict, reason, score, confidence, provider, retryAfterSeconds, checks, evidence } = verification;
  const { stage, code, enhanced, fromCache, witness, source } = evidence;
  return {
    verdict,
    reason,
    score,
    confidence,
    provider,
    retryAfterSeconds,
    checks,
    stage,
    code,
    enhanced,
    fromCache,
    witness,
    source,
    creditsCharged,
  };
}

/** The verification that had this fact. Written out member by member, because spread and rest are much slower here. */
export function fromFact(fact: Fact, own: OwnPart): Verification {
  return {
    email: own.email,
    normalizedEmail: own.normalizedEmail,
    verdict: fact.verdict,
    reason: fact.reason,
    score: fact.score,
    confidence: fact.confidence,
    checks: fact.checks,
    didYouMean: own.didYouMean,
    provider: fact.provider,
    mxHost: own.mxHost,
    retryAfterSeconds: fact.retryAfterSeconds,
    evidence: {
      stage: fact.stage,
      mxHost: own.evidence.mxHost,
      mxAddress: own.evidence.mxAddress,
      code: fact.code,
      enhanced: fact.enhanced,
      text: own.evidence.text,
      at: own.evidence.at,
      fromCache: fact.fromCache,
      witness: fact.witness,
      source: fact.source,
    },
    checkedAt: own.checkedAt,
  };
}

function comparisons(table: Readonly<Record<string, Kept>>, fact: string, result: string): string[] {
  const names = Object.keys(table).filter((name) => table[name] === 'fact');
  return names.map((name) => `${fact}.${name} === ${result}.${name}`);
}
