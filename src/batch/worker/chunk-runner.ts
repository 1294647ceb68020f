import { Inject, Injectable } from '@nestjs/common';
import { collectReady } from '../../async/streams/collect-ready.js';
import { FinderSearchService } from '../../finder/finder-search.service.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { EngineSelector } from '../../verify/engine-selector.js';
import type { LeasedChunk } from '../chunks/leased-chunk.js';
import { writeChunks } from './chunk-trace.js';
import { type ChunkResults, ChunkCommitService } from './chunk-commit.service.js';
import { findChunks } from './find-chunks.js';
import type { BatchKindName } from '../model/batch.js';
import { RetryWindow } from '../model/retry-window.js';
import type { UnitProgress } from './unit-progress.js';
import { type WorkUnit, verifyChunks } from './verify-chunks.js';

/**
 * Addresses in flight at once of a unit that is alone: enough domains to keep most of a process's sockets busy. Units beside each
 * other share them: further ones would only wait, while V8 promotes their objects to the old generation, whose collection costs
 * more.
 */
const WINDOW = 3_000;
const MIN_WINDOW = 800;

export interface RunOptions {
  /** Units that this process works on, this one included, without those that wait for mail hosts. */
  readonly units: number;
  readonly progress: UnitProgress;
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
  constructor(
    private readonly engines: EngineSelector,
    private readonly searches: FinderSearchService,
    private readonly commits: ChunkCommitService,
    @Inject(ENV) private readonly env: Env,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Ends early when the batch no longer runs. Rejects with the signal's reason. */
  async run(unit: WorkUnit, { units, progress, signal, onStored }: RunOptions): Promise<void> {
    const reading = new AbortController();
    const results = this.resultsOf(unit, units, progress, AbortSignal.any([signal, reading.signal]));
    for await (const ready of collectReady(results, () => reading.abort())) {
      if (!(await this.commits.commit(unit.batch, ready, new Date(this.clock.now())))) return;
      writeChunks(unit.batch, ready);
      onStored(ready.map(({ chunk }) => chunk));
    }
  }

  private resultsOf(
    unit: WorkUnit,
    units: number,
    progress: UnitProgress,
    signal: AbortSignal,
  ): AsyncIterable<ChunkResults> {
    const now = () => this.clock.now();
    const window = new RetryWindow(unit.batch.retryWindowSeconds ?? this.env.batchRetryWindowSeconds);
    const common = { now, window, progress, signal };
    const runs = {
      verify: () =>
        verifyChunks(unit, {
          ...common,
          engine: this.engines.engineOf(unit.batch),
          maxInFlight: Math.max(MIN_WINDOW, Math.floor(WINDOW / units)),
          priceOf: (batch, verification) => this.commits.priceOf(batch, verification),
        }),
      find: () =>
        findChunks(unit, {
          ...common,
          searches: this.searches,
          priceOf: (finding) => this.commits.priceOfFinding(unit.batch, finding),
        }),
    } satisfies Record<BatchKindName, () => AsyncIterable<ChunkResults>>;
    return runs[unit.batch.kind]();
  }
}
