import type { MailWorlds } from '../verify/mail-worlds.js';
import type { TakenChunk } from './batch-chunks.store.js';
import type { Batch } from './batch.lifecycle.js';
import { type ChunkResult, ResultsEncoder, type Verdict, type Verification } from './batch-results.js';
import type { ChunkRound } from './chunk-work.service.js';
import { byOperator } from './load-order.js';

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
export async function* verifyLoad(load: Load, context: LoadContext): AsyncGenerator<ChunkRound, void> {
  const { engine, signal, inView } = context;
  const work = new LoadWork(load, context);
  const emails = await work.emailsInOrder();
  for await (const group of engine.verifyGroups(emails, { signal, inView }))
    for (const { index, verification } of group) {
      const answered = work.settle(index, verification);
      if (answered !== null) yield answered.round(context);
    }
}

/** The addresses of a load in the order in which they are verified, and the chunks that their answers go to. */
class LoadWork {
  private readonly startedAt: number;
  /** By place in the load: whose address it is, and where in the chunk. */
  private readonly ownerOf: OpenChunk[] = [];
  private readonly offsetOf: number[] = [];
  private order: Uint32Array | null = null;

  constructor(
    private readonly load: Load,
    private readonly context: LoadContext,
  ) {
    this.startedAt = context.now();
  }

  async emailsInOrder(): Promise<string[]> {
    const emails: string[] = [];
    for (const chunk of this.load.chunks) {
      const one = new OpenChunk(chunk, new ResultsEncoder());
      for (const offset of chunk.offsets) {
        emails.push(chunk.emails[offset]!);
        this.ownerOf.push(one);
        this.offsetOf.push(offset);
      }
    }
    // What is all in view needs no order.
    if (emails.length <= this.context.inView) return emails;
    this.order = await byOperator(emails, this.context);
    return emails.map((_, index) => emails[this.order![index]!]!);
  }

  /** @param index in the order. @returns the chunk when it was its last answer */
  settle(index: number, verification: Verification): OpenChunk | null {
    const { batch } = this.load;
    const place = this.order === null ? index : this.order[index]!;
    const one = this.ownerOf[place]!;
    const offset = this.offsetOf[place]!;
    if (verification.retryAfterSeconds !== null && isTriedAgain(batch, one.chunk)) one.tryLater(offset);
    else {
      const latencyMs = Math.max(0, verification.checkedAt - this.startedAt);
      const creditsCharged = this.context.priceOf(batch, verification.verdict);
      one.settle({ offset, verification, creditsCharged, latencyMs });
    }
    return one.isAnswered ? one : null;
  }
}

/** The simulated world answers the same however late it is asked. */
export function isTriedAgain({ simulated }: Batch, { round }: TakenChunk): boolean {
  return !simulated && round < LATER_TRIES;
}
