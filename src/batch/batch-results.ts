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

/** What many addresses have in common, whatever their mail hosts. */
export type Fact = Pick<
  Verification,
  'verdict' | 'reason' | 'score' | 'confidence' | 'provider' | 'retryAfterSeconds' | 'checks'
> &
  Pick<Verification['evidence'], 'stage' | 'code' | 'enhanced' | 'fromCache'> & { readonly creditsCharged: number };

type Checks = Verification['checks'];

/** The domain's first mail host, then name and address of the one that gave the evidence. */
export type Hosts = readonly [mxHost: string | null, evidenceHost: string | null, evidenceAddress: string | null];

/** A round's answers as they are kept, as JSON: the numbers of all addresses in one array, which is read four times as fast as one for each. */
export interface StoredRound {
  readonly facts: readonly Fact[];
  readonly hosts: readonly Hosts[];
  /** What servers said. */
  readonly texts: readonly (string | null)[];
  /** Milliseconds since 1970 from which times count. */
  readonly since: number;
  /** For each address `NUMBERS`: its offset, the places of its fact, hosts and text, when the fact was learned, when it was checked, latency. */
  readonly numbers: readonly number[];
  /** By offset, where there is something to say: the normalized address, '' when it is as sent, and the suggestion. */
  readonly names: Readonly<Record<number, readonly [normalizedEmail: string | null, didYouMean: string | null]>>;
}

export const NUMBERS = 7;

/**
 * A round's answers on their way into one text. What addresses have in common is kept once and of each only numbers: kept as objects until
 * a thousand are there, answers grow old, and the garbage collector pays for it.
 */
export class ResultsEncoder {
  private readonly facts: Fact[] = [];
  /** Places of facts, so that few are compared. */
  private readonly factsOf = new Map<Verification['reason'], number[]>();
  private readonly hosts: Hosts[] = [];
  private readonly placeOfHosts = new Map<string, number>();
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
      this.factOf(result),
      this.hostsOf(verification),
      this.textOf(evidence.text),
      evidence.at - this.since,
      checkedAt - this.since,
      latencyMs,
    );
    if (normalizedEmail !== email || didYouMean !== null)
      this.names[offset] = [normalizedEmail === email ? '' : normalizedEmail, didYouMean];
  }

  toString(): string {
    const { facts, hosts, since, numbers, names } = this;
    return JSON.stringify({ facts, hosts, texts: [...this.texts.keys()], since, numbers, names } satisfies StoredRound);
  }

  private factOf(result: ChunkResult): number {
    const { reason } = result.verification;
    const alike = this.factsOf.get(reason) ?? [];
    for (const place of alike) if (isFactOf(this.facts[place]!, result)) return place;
    const place = this.facts.push(toFact(result)) - 1;
    this.factsOf.set(reason, [...alike, place]);
    return place;
  }

  /** Neighbours mostly have theirs in common, which spares them a key. */
  private hostsOf({ mxHost, evidence }: Verification): number {
    const last = this.hosts[this.lastHosts];
    if (last?.[0] === mxHost && last[1] === evidence.mxHost && last[2] === evidence.mxAddress) return this.lastHosts;
    const key = `${mxHost ?? ''} ${evidence.mxHost ?? ''} ${evidence.mxAddress ?? ''}`;
    let place = this.placeOfHosts.get(key);
    if (place === undefined) {
      place = this.hosts.push([mxHost, evidence.mxHost, evidence.mxAddress]) - 1;
      this.placeOfHosts.set(key, place);
    }
    return (this.lastHosts = place);
  }

  private textOf(text: string | null): number {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.texts.set(text, this.texts.size);
    return this.texts.size - 1;
  }
}

/** Written out: by names in an array each look-up is a slow one. */
function isFactOf(fact: Fact, { verification, creditsCharged }: ChunkResult): boolean {
  const { evidence, checks } = verification;
  return (
    fact.reason === verification.reason &&
    fact.verdict === verification.verdict &&
    fact.score === verification.score &&
    fact.confidence === verification.confidence &&
    fact.provider === verification.provider &&
    fact.retryAfterSeconds === verification.retryAfterSeconds &&
    fact.stage === evidence.stage &&
    fact.code === evidence.code &&
    fact.enhanced === evidence.enhanced &&
    fact.fromCache === evidence.fromCache &&
    fact.creditsCharged === creditsCharged &&
    areSame(fact.checks, checks)
  );
}

function areSame(a: Checks, b: Checks): boolean {
  return (
    a.syntax === b.syntax &&
    a.mx === b.mx &&
    a.smtp === b.smtp &&
    a.catchAll === b.catchAll &&
    a.disposable === b.disposable &&
    a.role === b.role &&
    a.free === b.free &&
    a.spamTrap === b.spamTrap &&
    a.privacyRelay === b.privacyRelay
  );
}

/** Not by spread, so that all facts have one shape. */
function toFact({ verification, creditsCharged }: ChunkResult): Fact {
  const { verdict, reason, score, confidence, provider, retryAfterSeconds, checks, evidence } = verification;
  return {
    verdict,
    reason,
    score,
    confidence,
    provider,
    retryAfterSeconds,
    checks,
    stage: evidence.stage,
    code: evidence.code,
    enhanced: evidence.enhanced,
    fromCache: evidence.fromCache,
    creditsCharged,
  };
}
