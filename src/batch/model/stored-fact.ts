import type { ChunkResult, Verification } from './chunk-result.js';

type Evidence = Verification['evidence'];
type Checks = Verification['checks'];

/** `fact`: kept once for all results that share it. `own`: kept for each result, by the encoder. `parts`: has a table below. */
type FactKind = 'fact' | 'own' | 'parts';

/* How each member of a result is kept. Comparing and storing facts follow these tables, and the compiler asks here for a new member. */

const RESULT = {
  offset: 'own',
  verification: 'parts',
  creditsCharged: 'fact',
  latencyMs: 'own',
} as const satisfies Record<keyof Omit<ChunkResult, 'suppressed' | 'isPending' | 'found'>, FactKind>;

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
} as const satisfies Record<keyof Verification, FactKind>;

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
} as const satisfies Record<keyof Evidence, FactKind>;

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

const FACT_MEMBERS = [
  ...factsOf(RESULT, 'result'),
  ...factsOf(VERIFICATION, 'verification'),
  ...factsOf(EVIDENCE, 'evidence'),
];
const CHECK_MEMBERS = factsOf(CHECKS, 'checks');

/*
 * The encoder compares several facts for each address, and the decoder builds each result, so these functions are compiled once from the
 * tables: V8 runs them like ones written out member by member, and much faster than spread, rest, or a loop over names.
 */
// oxlint-disable no-new-func, typescript/no-implied-eval -- nothing but the names above goes into them

const PARTS = 'const { verification } = result; const { evidence, checks } = verification;';

/** Whether the result has this fact. */
export const isFactOf = new Function(
  'fact',
  'result',
  `${PARTS} return ${[
    ...FACT_MEMBERS.map(([name, part]) => `fact.${name} === ${part}.${name}`),
    ...CHECK_MEMBERS.map(([name]) => `fact.checks.${name} === checks.${name}`),
  ].join(' && ')};`,
) as (fact: Fact, result: ChunkResult) => boolean;

/** The fact of a result. */
export const toFact = new Function(
  'result',
  `${PARTS} return { ${FACT_MEMBERS.map(([name, part]) => `${name}: ${part}.${name}`).join(', ')}, checks };`,
) as (result: ChunkResult) => Fact;

/** The verification that had this fact. */
export const fromFact = new Function(
  'fact',
  'own',
  `return ${built(VERIFICATION, 'own', { checks: 'fact.checks', evidence: built(EVIDENCE, 'own.evidence') })};`,
) as (fact: Fact, own: OwnPart) => Verification;

// oxlint-enable no-new-func, typescript/no-implied-eval

/** The names that a table gives to the fact, each with the part that has it. */
function factsOf(table: Readonly<Record<string, FactKind>>, part: string): (readonly [name: string, part: string])[] {
  return Object.keys(table).flatMap((name) => (table[name] === 'fact' ? [[name, part]] : []));
}

/** An object whose members come from the fact, from what is kept for each result, or from `parts`. */
function built(
  table: Readonly<Record<string, FactKind>>,
  own: string,
  parts: Readonly<Record<string, string>> = {},
): string {
  const members = Object.entries(table).map(([name, kept]) => {
    return `${name}: ${parts[name] ?? `${kept === 'fact' ? 'fact' : own}.${name}`}`;
  });
  return `{ ${members.join(', ')} }`;
}
