import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Hold } from '../../lib/hold.js';
import { collectReady } from '../../lib/streams.js';
import { FinderSearchService, type Finding } from '../../finder/finder.service.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { isOutage } from '../../platform/errors/outage.js';
import { writeStep } from '../../platform/logging/trace.js';
import { EngineSelector } from '../../verify/engine-selector.js';
import type { Batch, BatchKindName } from '../model/batch.js';
import { RetryWindow } from '../model/retry-window.js';
import { ChunkCommitService } from './chunk-commit.service.js';
import type { ChunkResults, LeasedChunk } from './leased-chunk.js';
import type { UnitProgress } from './unit-progress.js';
import { verifyChunks, type WorkUnit, ChunkInWork, retriedReason } from './verify-chunks.js';
import { Latch } from '../../lib/latch.js';
import { Semaphore } from '../../lib/semaphore.js';
import { domainTextOf, notSearched, readPersonRow } from '../../finder/person.js';
import { AppError } from '../../platform/errors/app-error.js';
import { NOTHING_VERIFIED } from '../../engine/types.js';
import { PeopleEncoder, type FoundResult } from '../model/result-codec.js';

/** Searches of a unit at once: they mostly wait for mail hosts, which have limits of their own. */
const SEARCH_CONCURRENCY = 40;
/** Budget of one search, which may wait for its turn at a mail host that many people of the batch share. */
const BUDGET_MS = 120_000;

interface FindContext {
  readonly searches: FinderSearchService;
  readonly now: () => number;
  /** Credits that a finding costs. */
  readonly priceOf: (finding: Finding) => number;
  readonly window: RetryWindow;
  readonly signal: AbortSignal;
  readonly progress: UnitProgress;
  readonly hold: Hold;
}

/**
 * Searches for the people of a unit, and yields each chunk's results as soon as its last person has one. A consumer that stops
 * reading, a search that fails and the signal keep further searches from beginning; searches under way end by themselves.
 */
async function* findChunks({ batch, chunks }: WorkUnit, context: FindContext): AsyncGenerator<ChunkResults, void> {
  const { signal, priceOf, progress, hold } = context;
  // A list of people is short: all its chunks count as begun, so that none is given back.
  for (const chunk of chunks) progress.begin(chunk);
  const complete: ChunkInWork[] = [];
  const changed = new Latch();
  const failures: unknown[] = [];
  const ended = new AbortController();

  async function searchAll(stop: AbortSignal): Promise<void> {
    const permits = new Semaphore(SEARCH_CONCURRENCY);
    for (const one of chunks.map((chunk) => new ChunkInWork(chunk, new PeopleEncoder())))
      for (const offset of one.chunk.offsets) {
        const permit = await permits.acquire(stop);
        await hold.untilFree(stop);
        stop.throwIfAborted();
        if (progress.hasLost(one.chunk) && !progress.begin(one.chunk)) {
          permit.release();
          changed.notify();
          continue;
        }
        void settle(one, offset)
          .catch(fail)
          .finally(() => permit.release());
      }
  }

  async function settle(one: ChunkInWork, offset: number): Promise<void> {
    const startedAt = performance.now();
    const { finding, domain } = await find(one.chunk.items[offset]!);
    progress.settle();
    const { verdict, verification: last } = finding;
    const retried = last && retriedReason(batch, one.chunk, { verdict, reason: last.reason }, context.window);
    if (retried !== null) one.retry({ offset, reason: retried, source: null });
    else {
      const latencyMs = Math.round(performance.now() - startedAt);
      const verification = { ...(finding.verification ?? NOTHING_VERIFIED), verdict: finding.verdict };
      const creditsCharged = priceOf(finding);
      one.settle({ offset, verification, creditsCharged, latencyMs, found: { finding, domain } } satisfies FoundResult);
    }
    if (!one.isComplete) return;
    complete.push(one);
    changed.notify();
  }

  async function find(text: string): Promise<{ finding: Finding; domain: string }> {
    const person = readPersonRow(text);
    if (person === null) return { finding: notSearched('domain_unreadable'), domain: domainTextOf(text) };
    try {
      context.searches.check(batch, person);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'public_mail_domain') throw error;
      return { finding: notSearched('public_mail_domain'), domain: person.domain };
    }
    return { finding: await context.searches.search(batch, person, BUDGET_MS, batch.accountId), domain: person.domain };
  }

  function fail(error: unknown): void {
    failures.push(error);
    ended.abort();
    changed.notify();
  }

  /** Chunks that have not been yielded, and may be. */
  const left = new Set(chunks);
  const isOver = (): boolean => [...left].every((chunk) => progress.hasLost(chunk));
  signal.addEventListener('abort', () => changed.notify(), { once: true });
  void searchAll(AbortSignal.any([signal, ended.signal])).catch(fail);
  const unlisten = hold.listen(() => changed.notify());
  try {
    for (;;) {
      await changed.until(() => complete.length > 0 || failures.length > 0 || signal.aborted || isOver());
      signal.throwIfAborted();
      if (failures.length > 0) throw failures[0];
      const one = complete.shift();
      if (one === undefined) return;
      left.delete(one.chunk);
      yield one.finish(context);
    }
  } finally {
    unlisten();
    ended.abort();
  }
}

/** The step of chunks that are stored: how many of their addresses got which answer, and what waits for another try. */
function writeChunks({ id, traceId }: Batch, stored: readonly ChunkResults[]): void {
  if (traceId === null) return;
  const answers: Record<string, number> = {};
  let later = 0;
  for (const { works, retryPass } of stored) {
    for (const { verdict, reason, items } of works)
      answers[`${verdict} ${reason}`] = (answers[`${verdict} ${reason}`] ?? 0) + items;
    later += retryPass?.offsets.length ?? 0;
  }
  writeStep(`chunks stored: ${stored.map(({ chunk }) => `${chunk.number} (pass ${chunk.pass})`).join(', ')}`, {
    trace_id: traceId,
    batch_id: id,
    answers,
    later,
  });
}

/**
 * Addresses in flight at once of a unit that is alone: enough domains to keep most of a process's sockets busy. Units beside each
 * other share them: further ones would only wait, while V8 promotes their objects to the old generation, whose collection costs
 * more.
 */
const WINDOW = 3_000;
const MIN_WINDOW = 800;
/** Results that could not be stored because a server is away are tried again so often. */
const STORE_AGAIN_MS = 1_000;

interface RunOptions {
  /** Units that this process works on, this one included, without those that wait for mail hosts. */
  readonly units: number;
  readonly progress: UnitProgress;
  /** Held while the lease may have ended: nothing is begun. */
  readonly hold: Hold;
  readonly signal: AbortSignal;
  /** Called with the chunks whose results have just been stored. */
  readonly onStored: (chunks: readonly LeasedChunk[]) => void;
}

/**
 * Runs a unit to its end: the engine verifies its addresses, or the finder searches for its people, and the results of each chunk are
 * committed soon after its last item. Chunks that get ready while a transaction runs are committed together by the next one.
 */
@Injectable()
export class ChunkRunner {
  private readonly logger = new Logger(ChunkRunner.name);

  constructor(
    private readonly engines: EngineSelector,
    private readonly searches: FinderSearchService,
    private readonly commits: ChunkCommitService,
    @Inject(ENV) private readonly env: Env,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) private readonly timer: Timer,
  ) {}

  /** Ends early when the batch no longer runs. Rejects with the signal's reason. */
  async run(unit: WorkUnit, options: RunOptions): Promise<void> {
    const reading = new AbortController();
    const results = this.resultsOf(unit, options, AbortSignal.any([options.signal, reading.signal]));
    for await (const ready of collectReady(results, () => reading.abort())) {
      const stored = await this.store(unit, ready, options);
      if (stored === null) return;
      writeChunks(unit.batch, stored);
      options.onStored(stored.map(({ chunk }) => chunk));
    }
  }

  /**
   * Results wait for a server that is away: asking again would cost mail hosts more than they cost memory. Those of chunks that were lost
   * meanwhile are dropped. @returns null when the batch no longer runs
   */
  private async store(
    { batch }: WorkUnit,
    ready: readonly ChunkResults[],
    { progress, signal }: RunOptions,
  ): Promise<readonly ChunkResults[] | null> {
    for (let tries = 1; ; tries++) {
      const ours = tries === 1 ? ready : ready.filter(({ chunk }) => !progress.hasLost(chunk));
      if (ours.length === 0) return ours;
      try {
        return (await this.commits.commit(batch, ours, this.clock.date())) ? ours : null;
      } catch (error) {
        if (!isOutage(error) || signal.aborted) throw error;
        if (tries === 1)
          this.logger.warn(`results of batch ${batch.id} wait to be stored: ${(error as Error).message}`);
      }
      await this.pause(signal);
      signal.throwIfAborted();
    }
  }

  private pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.timer.after(STORE_AGAIN_MS, end);
      signal.addEventListener('abort', end);
    });
  }

  private resultsOf(
    unit: WorkUnit,
    { units, progress, hold }: RunOptions,
    signal: AbortSignal,
  ): AsyncIterable<ChunkResults> {
    const { settlement } = this.commits;
    const now = () => this.clock.now();
    const window = new RetryWindow(unit.batch.retryWindowSeconds ?? this.env.batchRetryWindowSeconds);
    const common = { now, window, progress, hold, signal };
    const runs = {
      verify: () =>
        verifyChunks(unit, {
          ...common,
          engine: this.engines.engineOf(unit.batch),
          maxInFlight: Math.max(MIN_WINDOW, Math.floor(WINDOW / units)),
          priceOf: (batch, verification) => settlement.priceOf(batch, verification),
        }),
      find: () =>
        findChunks(unit, {
          ...common,
          searches: this.searches,
          priceOf: (finding) => settlement.priceOfFinding(unit.batch, finding),
        }),
    } satisfies Record<BatchKindName, () => AsyncIterable<ChunkResults>>;
    return runs[unit.batch.kind]();
  }
}
