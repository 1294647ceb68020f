import type { MailWorlds } from '../verify/mail-worlds.js';
import type { TakenChunk } from './batch-chunks.store.js';
import type { Batch } from './batch.lifecycle.js';
import { type ChunkResult, ResultsEncoder, type Verdict } from './batch-results.js';
import type { ChunkRound } from './chunk-work.service.js';

/** Later tries of a soft answer. */
const LATER_TRIES = 3;
/** When each begins after the one before, as parts of the retry window: greylisting ends after 1 to 10 minutes. */
const PAUSES = [1 / 6, 1 / 3, 1 / 2] as const;

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
  const places = byDomain(
    open.flatMap((one) => one.chunk.offsets.map((offset) => ({ one, offset, email: one.chunk.emails[offset]! }))),
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

/** Neighbours share a connection although few are in view. */
function byDomain<Place extends { readonly email: string }>(places: readonly Place[]): Place[] {
  const domains = new Map<string, Place[]>();
  for (const place of places) {
    const domain = place.email.slice(place.email.lastIndexOf('@') + 1);
    const others = domains.get(domain);
    if (others === undefined) domains.set(domain, [place]);
    else others.push(place);
  }
  return [...domains.values()].flat();
}

/** The simulated world answers the same however late it is asked. */
export function isTriedAgain({ simulated }: Batch, { round }: TakenChunk): boolean {
  return !simulated && round < LATER_TRIES;
}
