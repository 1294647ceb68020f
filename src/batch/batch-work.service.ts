import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { isOutage } from '../platform/errors/outage.js';
import type { TakenChunk } from './batch-chunks.store.js';
import { BatchGroupingService } from './batch-grouping.service.js';
import { FEW_CHUNKS } from './bucket-choice.js';
import { ChunkWorkService } from './chunk-work.service.js';
import { ChunkWorkLeasesService, type LeasedLoad } from './chunk-work-leases.service.js';
import { gathered } from './gathered.js';
import { LoadRoundsService } from './load-rounds.service.js';

/** Addresses in work at once in a process, about 1 KB each. */
const MOST_OPEN = 50_000;
/**
 * From here on only accounts that have nothing in work here get room, so that nobody waits for somebody else's slow hosts: a load of
 * 16,000 more must leave some.
 */
const SHARED_OPEN = 24_000;
/** Looks into the tables for work that no bell told of and for suspects, renews leases and notices cancelled batches. */
const SWEEP_EVERY_MS = 2_000;
/** Loads that end within it are finished when the process stops; others take the rest. */
const FINISH_WITHIN_MS = 8_000;

interface OpenLoad {
  readonly load: LeasedLoad;
  readonly controller: AbortController;
  readonly left: Set<TakenChunk>;
  done: Promise<void>;
}

/** Works on batches as long as there is something to do: takes loads, as many as fit, and stores each chunk as it is answered. */
@Injectable()
export class BatchWorkService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(BatchWorkService.name);
  private readonly open = new Set<OpenLoad>();
  private filling: Promise<void> | null = null;
  private askedAgain = false;
  private isStopping = false;
  private suspectsDueAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();
  private roomCame = (): void => undefined;

  constructor(
    private readonly leases: ChunkWorkLeasesService,
    private readonly grouping: BatchGroupingService,
    private readonly rounds: LoadRoundsService,
    private readonly work: ChunkWorkService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeping = this.sweep();
    this.timer = setInterval(() => {
      this.sweeping = this.sweeping.then(() => this.sweep());
    }, SWEEP_EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    this.roomCame();
    await Promise.all([this.sweeping, this.filling]);
    const giveUp = setTimeout(() => this.open.forEach(({ controller }) => controller.abort()), FINISH_WITHIN_MS);
    await Promise.all([...this.open].map(({ done }) => done));
    clearTimeout(giveUp);
  }

  /** Takes what there is to take. Resolves when nothing is left for this process, which may wait for room until then. */
  wake(): Promise<void> {
    this.askedAgain = true;
    this.filling ??= this.fill().finally(() => (this.filling = null));
    return this.filling;
  }

  private async fill(): Promise<void> {
    while (this.askedAgain && !this.isStopping) {
      this.askedAgain = false;
      while (await this.takeLoad());
    }
  }

  /** False when there is nothing for us. */
  private async takeLoad(): Promise<boolean> {
    while (this.openAddresses() >= MOST_OPEN && !this.isStopping)
      await new Promise<void>((resolve) => (this.roomCame = resolve));
    if (this.isStopping) return false;
    const busy = this.openAddresses() >= SHARED_OPEN ? [...this.open].map(({ load }) => load.batch.accountId) : [];
    const open = [...this.open].flatMap(({ left }) => [...left]);
    const mayGroup = ![...this.open].some(({ load }) => load.isUngrouped);
    const load = (await this.takeSuspect()) ?? (await this.leases.take(busy, open, mayGroup));
    if (load === null) return false;
    this.begin(load);
    return true;
  }

  /** One at a time, and hardly ever there: not looked for with each load. */
  private async takeSuspect(): Promise<LeasedLoad | null> {
    const now = this.clock.now();
    if (now < this.suspectsDueAt || [...this.open].some(({ load }) => load.isSuspect)) return null;
    const suspect = await this.leases.takeSuspect();
    if (suspect === null) this.suspectsDueAt = now + SWEEP_EVERY_MS;
    return suspect;
  }

  private begin(load: LeasedLoad): void {
    const one: OpenLoad = {
      load,
      controller: new AbortController(),
      left: new Set(load.chunks),
      done: Promise.resolve(),
    };
    this.open.add(one);
    one.done = this.run(one).finally(() => {
      this.open.delete(one);
      this.roomCame();
      this.wakeAgain();
    });
  }

  private async run({ load, controller, left }: OpenLoad): Promise<void> {
    try {
      if (load.isUngrouped) return await this.grouping.group(load.batch, load.holder, controller.signal);
      const reading = new AbortController();
      const rounds = this.rounds.of(load, this.open.size, AbortSignal.any([controller.signal, reading.signal]));
      // While some are stored others become ready, to be stored together: a transaction for each was 1 µs an address.
      for await (const ready of gathered(rounds, () => reading.abort())) {
        if (!(await this.work.store(load.batch, ready, new Date(this.clock.now())))) return;
        const before = left.size;
        for (const { chunk } of ready) left.delete(chunk);
        this.roomCame();
        if (before > FEW_CHUNKS && left.size <= FEW_CHUNKS) this.wakeAgain();
      }
    } catch (error) {
      await this.leave(load, controller.signal, error).catch((later: unknown) => this.warn(later));
    }
  }

  private async leave(load: LeasedLoad, { aborted }: AbortSignal, error: unknown): Promise<void> {
    if (aborted) return this.leases.giveBack(load);
    this.warn(error);
    // What we cannot reach will be back. After a fault of ours the end of the leases is the pause before the next try.
    if (isOutage(error)) await this.leases.postpone(load);
  }

  private async sweep(): Promise<void> {
    try {
      const open = [...this.open];
      const ended = await this.leases.renew(open.map(({ load }) => load));
      for (const { load, controller } of open) if (ended.includes(load)) controller.abort();
      await this.leases.assurePresence();
      await this.work.failStuck(new Date(this.clock.now()));
    } catch (error) {
      this.warn(error);
    }
    this.wakeAgain();
  }

  /** Not waited for: it may wait for room. */
  private wakeAgain(): void {
    if (!this.isStopping) void this.wake().catch((error: unknown) => this.warn(error));
  }

  private openAddresses(): number {
    let count = 0;
    for (const { left } of this.open) for (const { offsets } of left) count += offsets.length;
    return count;
  }

  private warn(error: unknown): void {
    this.logger.warn(`work on batches was interrupted: ${(error as Error).message}`);
  }
}
