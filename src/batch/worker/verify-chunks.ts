import type { Hold } from '../../lib/hold.js';
import { WorkSum } from '../../credits/usage/used-work.js';
import { restsOnDenial, withoutDenial } from '../../engine/judge/denied-domain.js';
import { givenAgain } from '../../reuse/cached-verdict.js';
import type { EngineSelector } from '../../verify/engine-selector.js';
import type { Batch } from '../model/batch.js';
import { SMALL_BATCH } from '../model/batch.store.js';
import type { ChunkResult, Verification } from '../model/chunk-result.js';
import { ResultEncoder } from '../model/result-codec.js';
import type { RetriedAnswer, RetriedReason, RetryWindow } from '../model/retry-window.js';
import { domainPartOf } from '../model/row-ref.js';
import type { ChunkResults, DeniedItem, LeasedChunk } from './leased-chunk.js';
import type { UnitProgress } from './unit-progress.js';

/** The time that a unit has to look up its mail hosts; the repartitioning of a large batch has mostly looked them up before. */
const OPERATORS_WITHIN_MS = 1_000;

interface OrderContext {
  readonly engine: ReturnType<EngineSelector['engineOf']>;
  readonly signal: AbortSignal;
  /** In whose turn the resolver is asked. */
  readonly turn: string;
}

/**
 * Sorts addresses so that neighbours share a connection, although only a window of them is in flight.
 * @returns the indices of the addresses: those of each mail operator together, and within an operator those of each domain; null when
 *   there is one operator only, whose addresses may stay in the order of their chunks
 */
async function byOperator(
  emails: readonly string[],
  { engine, signal, turn }: OrderContext,
): Promise<Uint32Array | null> {
  const domains = new Map<string, number>();
  const domainOf = emails.map((email) => numberOf(domains, domainPartOf(email)));
  const operators = await engine.mailOperators(domains.keys(), { patienceMs: OPERATORS_WITHIN_MS, signal, turn });
  const names = new Map<string, number>();
  // Operators with a cap on connections a minute last: they fill the window with addresses that only wait.
  for (const slow of [false, true])
    for (const operator of operators.values()) if (engine.isPacedByMinute(operator) === slow) numberOf(names, operator);
  const operatorOf = [...domains.keys()].map((domain) => numberOf(names, operators.get(domain) ?? domain));
  if (names.size === 1) return null;
  const rankOf: number[] = [];
  sortedBy(operatorOf, names.size).forEach((domain, rank) => (rankOf[domain] = rank));
  return sortedBy(
    domainOf.map((domain) => rankOf[domain]!),
    domains.size,
  );
}

/** Numbers names in the order of their first occurrence. */
function numberOf(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}

/** A counting sort: the indices of the keys, lowest key first, and equal keys in their order. */
function sortedBy(keys: readonly number[], count: number): Uint32Array {
  const nextOf = new Uint32Array(count + 1);
  keys.forEach((key) => (nextOf[key + 1]! += 1));
  for (let key = 0; key < count; key++) nextOf[key + 1]! += nextOf[key]!;
  const sorted = new Uint32Array(keys.length);
  keys.forEach((key, index) => (sorted[nextOf[key]!++] = index));
  return sorted;
}

/** Where one small batch is, others often follow, and would each open connections to the same hosts. */
const KEEP_WARM_MS = 500;
/** The only source where nobody has named any: it need not be stored. */
const DEFAULT_SOURCE = 'default';

type Engine = ReturnType<EngineSelector['engineOf']>;

export interface WorkUnit {
  readonly batch: Batch;
  readonly chunks: readonly LeasedChunk[];
}

interface VerifyContext {
  readonly engine: Engine;
  readonly now: () => number;
  /** Credits that a result costs. */
  readonly priceOf: (batch: Batch, verification: Verification) => number;
  readonly window: RetryWindow;
  readonly signal: AbortSignal;
  readonly progress: UnitProgress;
  readonly hold: Hold;
  /** Addresses that the engine works on at once. */
  readonly maxInFlight: number;
}

/** Turns the results of a pass into the text that is stored. */
interface PassEncoder {
  readonly count: number;
  add(result: ChunkResult): void;
  toString(): string;
}

interface HeldAnswer {
  readonly offset: number;
  readonly verification: Verification;
}

/** A pass over a chunk while it collects results. */
export class ChunkInWork {
  private readonly counts = { valid: 0, invalid: 0, risky: 0, unknown: 0 };
  private charged = 0;
  private readonly works = new WorkSum();
  private readonly retried: RetriedAnswer[] = [];
  private readonly held: HeldAnswer[] = [];
  private readonly denials: DeniedItem[] = [];

  constructor(
    readonly chunk: LeasedChunk,
    private readonly results: PassEncoder,
  ) {}

  get isComplete(): boolean {
    return this.isAnswered && this.held.length === 0;
  }

  /** Every item has an answer; some may be held. */
  get isAnswered(): boolean {
    return this.results.count + this.retried.length + this.held.length === this.chunk.offsets.length;
  }

  /** Keeps an answer until all are there: it rests on nothing but the DNS resolver's denial, and a lie may be found by then. */
  hold(answer: HeldAnswer): void {
    this.held.push(answer);
  }

  takeHeld(): readonly HeldAnswer[] {
    return this.held.splice(0);
  }

  /** Takes a final result. The counters count rows, so a duplicate counts as often as it was sent. */
  settle(result: ChunkResult): void {
    this.results.add(result);
    this.counts[result.verification.verdict] += 1 + (this.chunk.duplicates.get(result.offset) ?? 0);
    this.charged += result.creditsCharged;
    const { verdict, reason } = result.verification;
    this.works.add({ verdict, reason, items: 1, credits: result.creditsCharged });
    if (restsOnDenial(result.verification)) this.denials.push(result);
  }

  /** Passes an item on to a later pass. */
  retry(answer: RetriedAnswer): void {
    this.retried.push(answer);
  }

  /** The caller calls it once, when the pass is complete. */
  finish({ now, window }: Pick<VerifyContext, 'now' | 'window'>): ChunkResults {
    const { chunk, counts, charged: creditsCharged, denials } = this;
    const retryPass = window.next({ pass: chunk.windowPass, retries: chunk.retries }, this.retried, now());
    const works = this.works.toArray();
    return { chunk, results: this.results.toString(), counts, creditsCharged, works, denials, retryPass };
  }
}

/**
 * Verifies the chunks of a unit together, so that addresses of one mail host share its connections, and yields each chunk's results as soon
 * as its last address has one.
 */
export async function* verifyChunks(unit: WorkUnit, context: VerifyContext): AsyncGenerator<ChunkResults, void> {
  const { engine, signal, maxInFlight, hold } = context;
  const work = new UnitInWork(unit, context);
  yield* work.complete.map((one) => one.finish(context));
  await work.putInOrder();
  const turn = unit.batch.accountId;
  const options = {
    signal,
    maxInFlight,
    turn,
    hold,
    ...(unit.batch.uniqueAddresses <= SMALL_BATCH && { keepWarmMs: KEEP_WARM_MS }),
    resume: (index: number) => work.resume(index),
    ...(work.mustReturn && { sourceOf: (index: number) => work.sourceOf(index) }),
  };
  for await (const group of engine.verifyGroups(work.emails(), options))
    for (const { index, verification } of group) {
      const complete = work.settle(index, verification);
      if (complete !== null) yield complete.finish(context);
    }
}

/** The addresses of a unit in the order in which they are verified, and the chunks of their results. */
class UnitInWork {
  /** Chunks all of whose verdicts were given again. */
  readonly complete: ChunkInWork[] = [];
  private readonly startedAt: number;
  /** The addresses of the unit, and for each its chunk and its offset in it. */
  private readonly addresses: string[] = [];
  private readonly chunkOf: ChunkInWork[] = [];
  private readonly offsetOf: number[] = [];
  /** Indices of addresses of the unit, in the order of verification; null when both orders are the same. */
  private order: Uint32Array | null = null;
  /** Indices of the addresses that the engine was given, in their order: chunks that were given back are left out. */
  private readonly asked: Uint32Array;

  constructor(
    private readonly unit: WorkUnit,
    private readonly context: VerifyContext,
  ) {
    this.startedAt = context.now();
    for (const chunk of unit.chunks) {
      const one = new ChunkInWork(chunk, new ResultEncoder());
      const reused = this.giveAgain(one);
      for (const offset of chunk.offsets) {
        if (reused.has(offset)) continue;
        this.addresses.push(chunk.items[offset]!);
        this.chunkOf.push(one);
        this.offsetOf.push(offset);
      }
    }
    this.asked = new Uint32Array(this.addresses.length);
  }

  /** Settles the items whose verdicts are given again; only in the first pass, which has all items. @returns their offsets */
  private giveAgain(one: ChunkInWork): ReadonlySet<number> {
    const { kept, items, pass } = one.chunk;
    const reused = new Set<number>();
    if (kept === null || pass > 0) return reused;
    for (let i = 0; i < kept.count; i++) {
      const offset = kept.low(i);
      const verdict = kept.verdict(i);
      const verification = givenAgain(verdict, this.context.engine.read(items[offset]!, verdict.takesNoMail));
      one.settle({ offset, verification, creditsCharged: 0, latencyMs: 0 });
      reused.add(offset);
    }
    this.context.progress.skip(one.chunk, reused.size);
    if (one.isComplete) this.complete.push(one);
    return reused;
  }

  async putInOrder(): Promise<void> {
    // All addresses fit the window, so that sorting them gains nothing.
    const { engine, signal, maxInFlight } = this.context;
    const turn = this.unit.batch.accountId;
    if (this.addresses.length > maxInFlight) this.order = await byOperator(this.addresses, { engine, signal, turn });
  }

  *emails(): Generator<string, void> {
    const { addresses, chunkOf, order, asked } = this;
    let count = 0;
    for (let position = 0; position < addresses.length; position++) {
      const at = order === null ? position : order[position]!;
      if (!this.context.progress.begin(chunkOf[at]!.chunk)) continue;
      asked[count++] = at;
      yield addresses[at]!;
    }
  }

  /** An address that was held up is begun anew. @returns false when its chunk was lost before a mail host was asked */
  resume(index: number): boolean {
    return this.context.progress.begin(this.chunkOf[this.asked[index]!]!.chunk);
  }

  /** Some addresses have to be asked about from a source that a host has seen. */
  get mustReturn(): boolean {
    return this.unit.chunks.some(({ retries }) => retries !== null && retries.sources.size > 0);
  }

  /** @param index of an address that the engine was given. @returns the source that has to ask; null: any may */
  sourceOf(index: number): string | null {
    const at = this.asked[index]!;
    return this.chunkOf[at]!.chunk.retries?.sources.get(this.offsetOf[at]!) ?? null;
  }

  /** @param index of an address that the engine was given. @returns the chunk when this was its last result */
  settle(index: number, verification: Verification): ChunkInWork | null {
    const { batch } = this.unit;
    const at = this.asked[index]!;
    const one = this.chunkOf[at]!;
    const offset = this.offsetOf[at]!;
    this.context.progress.settle();
    if (!batch.simulated && restsOnDenial(verification)) one.hold({ offset, verification });
    else this.decide(one, offset, verification);
    if (!one.isAnswered) return null;
    for (const { offset: heldOffset, verification: denied } of one.takeHeld()) {
      const isLie = this.context.engine.mayHaveLied(denied.checkedAt);
      this.decide(one, heldOffset, isLie ? withoutDenial(denied) : denied);
    }
    return one;
  }

  private decide(one: ChunkInWork, offset: number, verification: Verification): void {
    const { batch } = this.unit;
    const retried = retriedReason(batch, one.chunk, verification, this.context.window);
    if (retried !== null) return one.retry({ offset, reason: retried, source: sourceToReturn(verification) });
    const latencyMs = Math.max(0, verification.checkedAt - this.startedAt);
    const creditsCharged = one.chunk.free.has(offset) ? 0 : this.context.priceOf(batch, verification);
    one.settle({ offset, verification, creditsCharged, latencyMs });
  }
}

/** A host that put off a question (4xx) expects the address that has asked: greylisting would begin anew with another one. Null: any may ask. */
function sourceToReturn({ reason, evidence: { code, source } }: Verification): string | null {
  if (reason !== 'greylisted' && reason !== 'temporary_failure') return null;
  return code !== null && code < 500 && source !== DEFAULT_SOURCE ? source : null;
}

/** Why an answer of this pass is tried again; null when it is final. The simulated engine always gives the same answer. */
export function retriedReason(
  { simulated }: Batch,
  { windowPass }: LeasedChunk,
  { verdict, reason }: Pick<Verification, 'verdict' | 'reason'>,
  window: RetryWindow,
): RetriedReason | null {
  return simulated || verdict !== 'unknown' ? null : window.retried(reason, windowPass);
}
