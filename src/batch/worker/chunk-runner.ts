import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Hold } from '../../lib/hold.js';
import { collectReady } from '../../lib/streams.js';
import { FinderSearchService } from '../../finder/finder.service.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { isOutage } from '../../platform/errors/outage.js';
import { writeStep } from '../../platform/logging/trace.js';
import { EngineSelector } from '../../verify/engine-selector.js';
import type { Batch, BatchKindName } from '../model/batch.js';
import { RetryWindow } from '../model/retry-window.js';
import { ChunkCommitService } from './chunk-commit.service.js';
import { findChunks } from './find-chunks.js';
import type { ChunkResults, LeasedChunk } from './leased-chunk.js';
import type { UnitProgress } from './unit-progress.js';
import { verifyChunks, type WorkUnit } from './verify-chunks.js';

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
