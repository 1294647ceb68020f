import type { MailWorlds } from '../verify/mail-worlds.js';
import type { TakenChunk } from './batch-chunks.store.js';
import type { Batch } from './batch.lifecycle.js';
import { mailDomainOf } from './mail-domain.js';
import { type ChunkResult, ResultsEncoder, type Verdict } from './batch-results.js';
import type { ChunkRound } from './chunk-work.service.js';

/** Later tries of a soft answer. */
const LATER_TRIES = 3;
/** When each begins after the one before, as parts of the retry window: greylisting ends after 1 to 10 minutes. */
const PAUSES = [1 / 6, 1 / 3, 1 / 2] as const;

/** Of a load, to learn its mail hosts in; the grouping of a large batch has mostly learned them before. */
const OPERATORS_WITHIN_MS = 1_000;

type Engine = ReturnType<MailWorlds['engineOf']>;

export interface Load {
  readonly batch: Batch;
  readonly chunks: readonly TakenChunk[];
}

export interface LoadContext {
  readonly engine: Engine;
  readonly now: () => number;
  /** Credits that an answer costs. */
  readonly priceOf: (batch: Batch, verdict: Verdict) => number;
  readonly retryWindowSeconds: number;
  readonly signal: AbortSignal;
  /** Addresses in view at once. */
  readonly inView: number;
}

/** How answers become the text of a round. */
export interface AnswersEncoder {
  readonly count: number;
  add(result: ChunkResult): void;
  toString(): string;
}

export class OpenChunk {
  private readonly counts = { valid: 0, invalid: 0, risky: 0, unknown: 0 };
  private charged = 0;
  private readonly soft: number[] = [];

  constructor(
    readonly chunk: TakenChunk,
    private readonly results: AnswersEncoder,
  ) {}

  get isAnswered(): boolean {
    return this.results.count + this.soft.length === this.chunk.offsets.length;
  }

  /** Rows are counted: an address that was sent more than once answers each of them. */
  settle(result: ChunkResult): void {
    this.results.add(result);
    this.counts[result.verification.verdict] += 1 + (this.chunk.repeats.get(result.offset) ?? 0);
    this.charged += result.creditsCharged;
  }

  tryLater(offset: number): void {
    this.soft.push(offset);
  }

  round({ now, retryWindowSeconds }: Pick<LoadContext, 'now' | 'retryWindowSeconds'>): ChunkRound {
    const { chunk, counts, charged: creditsCharged } = this;
    const offsets = this.soft.sort((a, b) => a - b);
    const pauseMs = retryWindowSeconds * 1000 * (PAUSES[chunk.round] ?? 0);
    const later = offsets.length === 0 ? null : { dueAt: new Date(now() + pauseMs), offsets };
    return { chunk, results: this.results.toString(), counts, creditsCharged, later };
  }
}

/**
 * Verifies the chunks of a load together, so that addresses of one mail host share its connections, and gives the round of each
 * chunk as soon as its last address is answered.
 */
export async function* verifyLoad({ batch, chunks }: Load, context: LoadContext): AsyncGenerator<ChunkRound, void> {
  const { engine, now, priceOf, signal, inView } = context;
  const startedAt = now();
  const open = chunks.map((chunk) => new OpenChunk(chunk, new ResultsEncoder()));
  const places = await byOperator(
    open.flatMap((one) => one.chunk.offsets.map((offset) => ({ one, offset, email: one.chunk.emails[offset]! }))),
    context,
  );
  const emails = places.map(({ email }) => email);
  for await (const { index, verification } of engine.verifyMany(emails, { signal, inView })) {
    const { one, offset } = places[index]!;
    if (verification.retryAfterSeconds !== null && isTriedAgain(batch, one.chunk)) one.tryLater(offset);
    else {
      const latencyMs = Math.max(0, verification.checkedAt - startedAt);
      one.settle({ offset, verification, creditsCharged: priceOf(batch, verification.verdict), latencyMs });
    }
    if (one.isAnswered) yield one.round(context);
  }
}

/** Neighbours share a connection although few are in view. What is all in view needs no order. */
async function byOperator<Place extends { readonly email: string }>(
  places: readonly Place[],
  { engine, inView, signal }: Pick<LoadContext, 'engine' | 'inView' | 'signal'>,
): Promise<readonly Place[]> {
  if (places.length <= inView) return places;
  const domains = groupsOf(places, ({ email }) => mailDomainOf(email));
  const operators = await engine.mailOperators(domains.keys(), { patienceMs: OPERATORS_WITHIN_MS, signal });
  const groups = groupsOf(domains, ([domain]) => operators.get(domain) ?? domain);
  return [...groups.values()].flatMap((group) => group.flatMap(([, some]) => some));
}

function groupsOf<T>(all: Iterable<T>, nameOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = nameOf(one);
    const others = groups.get(name);
    if (others === undefined) groups.set(name, [one]);
    else others.push(one);
  }
  return groups;
}

/** The simulated world answers the same however late it is asked. */
export function isTriedAgain({ simulated }: Batch, { round }: TakenChunk): boolean {
  return !simulated && round < LATER_TRIES;
}
