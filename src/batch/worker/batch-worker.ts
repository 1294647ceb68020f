import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Latch } from '../../lib/latch.js';
import { Periodic } from '../../lib/periodic.js';
import { WorkLoop } from '../../lib/work-loop.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { isOutage } from '../../platform/errors/outage.js';
import type { LeasedChunk } from './leased-chunk.js';
import { FEW_CHUNKS } from './pick-partitions.js';
import { RepartitionService } from './repartition.service.js';
import { ChunkCommitService } from './chunk-commit.service.js';
import { ChunkLeases, type LeasedUnit } from './chunk-leases.js';
import { ChunkRunner } from './chunk-runner.js';
import {
  itemsOf,
  keepHeld,
  MAX_SMALL_TOGETHER,
  MAX_WAITING,
  type OpenUnit,
  openUnit,
  WorkerCapacity,
} from './worker-capacity.js';

/** Units that find no room to wait try again after this long, when others have had their turns. */
const PUT_OFF_MS = 60_000;
/** The sweep finds work without a notification, and poisoned chunks; it renews leases and notices cancelled batches. */
const SWEEP_EVERY_MS = 2_000;
/** A sweep may wait for PostgreSQL, and leases end meanwhile. */
const CHECK_LEASES_EVERY_MS = 250;
/** Units that end within it are finished when the process stops; other processes take the rest. */
const FINISH_WITHIN_MS = 8_000;

/**
 * The loop of a worker process: it leases units of work, as many as fit, and runs them beside each other.
 *
 * The loop (`WorkLoop`) is idle, filling or stopped; filling, it may wait for room. A unit is open from its lease until its
 * results are stored, its chunks are repartitioned, or the worker gives it up.
 *
 * Wake-ups:
 * - A notification from the queue, the sweep, the end of a unit, and a unit of which few chunks are left wake the loop, which
 *   looks for work until there is none or no room.
 * - Stored results, the end of a unit and chunks that are given back make room. They notify `roomChanged`, for which the filling loop may wait; so does the stop,
 *   and so does whoever wakes the loop while large batches have no room: small ones have some of their own.
 *
 * Ends of a unit without results:
 * - Its batch has been cancelled, has failed or was deleted: the next sweep aborts it, or its own commit finds out. Nothing more
 *   is stored.
 * - Its account now has another region: the next sweep aborts it, and its chunks are released for workers of that region.
 * - It waits for mail hosts, and so do many others: its chunks are put off.
 * - A server is away that it cannot go on without: its chunks are released after a pause.
 * - A fault of ours: the worker lets its lease expire, which is the pause before the next attempt, and the attempt counts.
 * - Its lease is lost: the next renewal tells. Another process works on the same chunks, and the first commit counts.
 *
 * While a lease may have ended, as when PostgreSQL does not answer, its unit begins nothing, and keeps what it knows: it goes on with the
 * chunks that the next renewal finds to be its own.
 *
 * At stop the loop leases nothing more and the sweep ends, so nobody renews the leases: the grace is shorter than a lease. Units
 * that end within the grace are finished; the others are aborted and their chunks released, for other processes to take at once.
 */
@Injectable()
export class BatchWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(BatchWorker.name);
  private readonly open = new Set<OpenUnit>();
  private readonly room: WorkerCapacity;
  private readonly roomChanged = new Latch();
  private readonly loop: WorkLoop;
  private readonly sweeping: Periodic;
  private readonly lookingAtLeases: Periodic;
  private poisonedDueAt = 0;
  /** Somebody has asked for a look since the last one for small batches. */
  private isAsked = false;

  constructor(
    private readonly leases: ChunkLeases,
    private readonly repartition: RepartitionService,
    private readonly runner: ChunkRunner,
    private readonly commits: ChunkCommitService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) private readonly timer: Timer,
  ) {
    this.room = new WorkerCapacity(this.open, clock);
    const onError = (error: unknown): void => this.warn(error);
    this.loop = new WorkLoop({ fill: () => this.fill(), onError });
    this.sweeping = new Periodic(() => this.sweep(), { everyMs: SWEEP_EVERY_MS, timer, onError });
    const look = (): Promise<void> => Promise.resolve(this.lookAtLeases());
    this.lookingAtLeases = new Periodic(look, { everyMs: CHECK_LEASES_EVERY_MS, timer, onError });
  }

  onApplicationBootstrap(): void {
    this.sweeping.start();
    this.lookingAtLeases.start();
  }

  async onModuleDestroy(): Promise<void> {
    const abort = (): void => this.open.forEach(({ controller }) => controller.abort());
    const stopped = this.loop.stop({ timer: this.timer, graceMs: FINISH_WITHIN_MS, abort });
    this.roomChanged.notify();
    await Promise.all([this.sweeping.stop(), this.lookingAtLeases.stop(), stopped]);
  }

  /** Items that it has leased and not stored, with those that wait for mail hosts. */
  get itemsInHand(): number {
    return itemsOf(this.open);
  }

  /** Looks for work. Resolves when none is left for this process, which may wait for room until then; never rejects. */
  wake(): Promise<void> {
    this.isAsked = true;
    this.roomChanged.notify();
    return this.loop.wake();
  }

  private async fill(): Promise<void> {
    for (;;) {
      await this.roomChanged.until(
        () => this.room.isForAll || (this.isAsked && this.room.isForSmall) || this.loop.isStopping,
      );
      if (this.loop.isStopping) return;
      this.isAsked = false;
      const small = await this.leases.acquireSmall(this.room.busyAccounts(), MAX_SMALL_TOGETHER);
      for (const unit of small) this.begin(unit);
      if (small.length === MAX_SMALL_TOGETHER) this.isAsked = true;
      if (!this.room.isForAll) continue;
      // Large batches have their turn after each group of small ones.
      const unit = await this.acquire();
      if (unit !== null) this.begin(unit);
      else if (small.length < MAX_SMALL_TOGETHER) return;
    }
  }

  private async acquire(): Promise<LeasedUnit | null> {
    const poisoned = await this.acquirePoisoned();
    if (poisoned !== null) return poisoned;
    // A partition whose items wait needs no more of them.
    const open = this.room.inWork().flatMap(({ left }) => [...left]);
    const mayRepartition = ![...this.open].some(({ unit }) => unit.isByDomain);
    return this.leases.acquire(this.room.busyAccounts(), open, mayRepartition, this.room.maxChunks());
  }

  /** One poisoned chunk at a time. There is hardly ever one, so the worker looks no more often than it sweeps. */
  private async acquirePoisoned(): Promise<LeasedUnit | null> {
    const now = this.clock.now();
    if (now < this.poisonedDueAt || [...this.open].some(({ unit }) => unit.isPoisoned)) return null;
    const poisoned = await this.leases.acquirePoisoned();
    if (poisoned === null) this.poisonedDueAt = now + SWEEP_EVERY_MS;
    return poisoned;
  }

  private begin(unit: LeasedUnit): void {
    const open = openUnit(unit, this.clock.now());
    this.open.add(open);
    unit.lease.look(performance.now());
    this.loop.begin(() =>
      this.run(open).finally(() => {
        this.open.delete(open);
        this.roomChanged.notify();
      }),
    );
  }

  private async run(open: OpenUnit): Promise<void> {
    const { unit, controller, progress } = open;
    const { signal } = controller;
    try {
      if (unit.isByDomain) await this.repartition.repartition(unit.batch, unit.leaseOwner, signal);
      else
        await this.runner.run(unit, {
          units: Math.max(1, this.room.inWork().length),
          progress,
          hold: unit.lease.hold,
          signal,
          onStored: (chunks) => this.close(open, chunks),
        });
    } catch (error) {
      await this.leave(open, error);
    }
  }

  private close({ left }: OpenUnit, chunks: readonly LeasedChunk[]): void {
    const before = left.size;
    for (const chunk of chunks) left.delete(chunk);
    this.roomChanged.notify();
    if (before > FEW_CHUNKS && left.size <= FEW_CHUNKS) void this.wake();
  }

  private async leave({ unit, controller, left, putOffUntil }: OpenUnit, error: unknown): Promise<void> {
    if (putOffUntil !== null) return this.leases.giveBack(unit, [...left], putOffUntil);
    if (controller.signal.aborted) return this.leases.release(unit);
    this.warn(error);
    if (isOutage(error)) await this.leases.releaseAfterPause(unit);
  }

  private async sweep(): Promise<void> {
    try {
      await this.renew();
      await this.makeRoom();
      await this.leases.assurePresence();
      await this.commits.failExhausted(this.clock.date());
    } finally {
      // The sweep does not await the loop, which may wait for room while leases must be renewed.
      void this.wake();
    }
  }

  private async renew(): Promise<void> {
    const openOf = new Map([...this.open].map((open) => [open.unit, open]));
    for await (const { unit, held } of this.leases.renew([...openOf.keys()])) {
      keepHeld(openOf.get(unit)!, held);
      unit.lease.look(performance.now());
    }
  }

  private lookAtLeases(): void {
    const now = performance.now();
    const doubtful = [...this.open].filter(({ unit: { lease } }) => !lease.hold.isHeld && lease.look(now));
    if (doubtful.length > 0)
      this.logger.warn(
        `the leases of ${doubtful.length} units cannot be renewed: nothing of them is begun until they are`,
      );
  }

  /** Takes from units that wait for mail hosts what others could use. */
  private async makeRoom(): Promise<void> {
    const now = this.clock.now();
    const crowded = this.room.isCrowded;
    let waiting = 0;
    for (const one of this.open) {
      const { unit, controller, left, progress, givenBack } = one;
      progress.measure(now);
      if (unit.isByDomain || !progress.isWaiting(now)) continue;
      for (const chunk of crowded ? progress.giveBack(now) : []) {
        givenBack.add(chunk);
        left.delete(chunk);
      }
      if (givenBack.size > 0) await this.leases.giveBack(unit, [...givenBack], progress.returnAt(now));
      givenBack.clear();
      await this.leases.recordWait(unit, left, progress);
      if (one.putOffUntil !== null) continue;
      if (waiting + progress.open <= MAX_WAITING) {
        waiting += progress.open;
        continue;
      }
      one.putOffUntil = new Date(now + PUT_OFF_MS);
      controller.abort();
    }
    this.roomChanged.notify();
  }

  private warn(error: unknown): void {
    this.logger.warn(`work on batches was interrupted: ${(error as Error).message}`);
  }
}
