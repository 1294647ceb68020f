import { Inject, Injectable } from '@nestjs/common';
import { type Finding, FinderSearchService } from '../finder/finder-search.service.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { MailWorlds } from '../verify/mail-worlds.js';
import { type Load, verifyLoad } from './batch-work-load.js';
import { type ChunkRound, ChunkWorkService } from './chunk-work.service.js';
import { findLoad } from './find-load.js';

/**
 * Addresses in view at once of a load that is alone: 300 domains, which keep most of a process's sockets busy. Those of loads beside each
 * other only wait, and grow old in memory: 12% of a worker's CPU.
 */
const IN_VIEW = 3_000;
const LEAST_IN_VIEW = 800;

/** What a load comes to, by the engine or the finder. */
@Injectable()
export class LoadRoundsService {
  constructor(
    private readonly worlds: MailWorlds,
    private readonly searches: FinderSearchService,
    private readonly work: ChunkWorkService,
    @Inject(ENV) private readonly env: Env,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * The round of each chunk as soon as its last address is answered. Rejects with the signal's reason.
   * @param loads how many this process works on
   */
  of(load: Load, loads: number, signal: AbortSignal): AsyncIterable<ChunkRound> {
    const common = { now: () => this.clock.now(), retryWindowSeconds: this.env.batchRetryWindowSeconds, signal };
    if (load.batch.kind === 'find') {
      const priceOf = (finding: Finding) => this.work.priceOfFinding(load.batch, finding);
      return findLoad(load, { ...common, searches: this.searches, priceOf });
    }
    const engine = this.worlds.engineOf(load.batch);
    const inView = Math.max(LEAST_IN_VIEW, Math.floor(IN_VIEW / loads));
    return verifyLoad(load, {
      ...common,
      engine,
      inView,
      priceOf: (batch, verdict) => this.work.priceOf(batch, verdict),
    });
  }
}
