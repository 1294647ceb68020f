import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { counter } from '../../platform/metrics/metrics.js';
import { ChunkStore, type Lease } from './chunk.store.js';
import type { LeasedChunk } from './leased-chunk.js';
import { OpenBatchesStore } from './open-batches.store.js';
import { pickPartitions } from './pick-partitions.js';
import { WorkerPresenceService } from './worker-presence.service.js';
import { BatchStore } from '../model/batch.store.js';
import { RepartitionStore } from './repartition.store.js';
import type { UnitProgress } from './unit-progress.js';
import type { WorkUnit } from './verify-chunks.js';
import { Hold } from '../../lib/hold.js';

/** Sweeps of a worker write to PostgreSQL each two seconds: after so long without an answer it was away, not slow. */
const SILENT_MS = 6_000;
/** Within which every worker that is alive has renewed its leases when PostgreSQL is back: two sweeps and a bit. */
const GRACE_MS = 5_000;

/**
 * Tells which leases of others count as expired.
 *
 * While PostgreSQL does not answer nobody can renew a lease, so that all of them expire although their workers live. Who comes first when it is back
 * would take what others still work on, and have it asked twice. So a worker that has met such a silence takes, for a grace, only what had expired before
 * it, and calls no worker dead: by then the others have renewed what is theirs.
 */
export class SilenceOfDatabase {
  private answeredAt: { readonly now: number; readonly time: number };
  /** The last silence: when it began, and until when its grace lasts. */
  private last: { readonly time: number; readonly graceEndsAt: number } | null = null;

  /** @param now by `performance.now()`, which no change of the time of day makes jump. @param time by the wall clock, as leases are */
  constructor(now: number, time: number) {
    this.answeredAt = { now, time };
  }

  /** PostgreSQL has answered a sweep. */
  answered(now: number, time: number): void {
    if (now - this.answeredAt.now > SILENT_MS) this.last = { time: this.answeredAt.time, graceEndsAt: now + GRACE_MS };
    this.answeredAt = { now, time };
  }

  /** It is away, or was until a moment ago. */
  isRecent(now: number): boolean {
    return now - this.answeredAt.now > SILENT_MS || (this.last !== null && now < this.last.graceEndsAt);
  }

  /** Leases that ended by this time of day are over. */
  expiredBy(now: number, time: number): number {
    if (now - this.answeredAt.now > SILENT_MS) return Math.min(time, this.answeredAt.time);
    return this.last !== null && now < this.last.graceEndsAt ? Math.min(time, this.last.time) : time;
  }
}

/**
 * The time from the last renewal until others may take the chunks of a suspended or unreachable process; those of a killed process are free
 * sooner. So long is also the pause before chunks are tried again after a fault of ours, and a stopping worker must have ended before it is over.
 */
export const LEASE_MS = 10_000;
/** Before a lease may end its unit begins nothing more, so that a late look, and clocks that differ a little, do no harm. */
const MARGIN_MS = 1_500;

/**
 * What a worker knows of the lease of one unit, measured by its own monotonic clock.
 *
 * The lease is sure, in doubt, or over.
 * - It is sure from each renewal on, counted from before the statement was sent, until shortly before its end.
 * - It is in doubt from then on, as when PostgreSQL does not answer: others may have taken the chunks. `hold` is held meanwhile, so that nothing is begun
 *   that another worker may ask about too; what is in flight ends, and its results are kept.
 * - The next renewal makes it sure again, for the chunks that it still has; the unit loses the others.
 */
export class HeldLease {
  readonly hold = new Hold();

  /** @param renewedAt a time by `performance.now()` before the lease was written */
  constructor(private renewedAt: number) {}

  /** The caller looks at it again when it has taken out what is lost. @param renewedAt as above */
  renewed(renewedAt: number): void {
    this.renewedAt = renewedAt;
  }

  isSure(now: number): boolean {
    return now - this.renewedAt < LEASE_MS - MARGIN_MS;
  }

  /** To be called again and again, for time makes a lease doubtful and calls nobody. @returns whether it is in doubt */
  look(now: number): boolean {
    this.hold.set(!this.isSure(now));
    return this.hold.isHeld;
  }
}

const takeovers = counter(
  'mailsonde_chunk_takeovers_total',
  'Chunks that this worker began again, because a worker had begun them before and did not finish: it died, or met a fault.',
);

/** Chunks that no other worker leases while their lease is renewed. */
export interface LeasedUnit extends WorkUnit {
  readonly leaseOwner: string;
  readonly lease: HeldLease;
  /** The lease holds chunks by domain that are to be repartitioned by mail operator, not worked on. */
  readonly isByDomain: boolean;
  /** The unit is one chunk that workers have begun several times without a result. */
  readonly isPoisoned: boolean;
}

/** What a renewal has found. */
interface Renewal {
  readonly unit: LeasedUnit;
  /** The numbers of the chunks that the unit still has; null: its batch no longer runs, or is no longer for workers of this region. */
  readonly held: ReadonlySet<number> | null;
}

/** Batches that a worker considers, several because other processes may work on all partitions of the first ones. */
const MAX_TRIES = 10;
/** Renewals of a unit in one sweep, where PostgreSQL is slow. */
const MAX_RENEWALS = 3;

/**
 * Decides which process works on which chunks.
 *
 * A chunk is free, leased or done.
 * - `acquire` leases free chunks that are due. It counts an attempt, which the next stored result sets back to 0.
 * - `renew` prolongs the leases of this process; it is called every few seconds, long before they expire.
 * - `release`, `releaseAfterPause` and `giveBack` make chunks free again, now or after a pause, and take the attempt back.
 * - A chunk becomes done, or free with a later time, when its results are committed; its lease ends in the same transaction.
 *
 * A lease is lost in two ways. It expires when a process does not renew it, or the next sweep of any worker frees it because the
 * process has died, which the end of its advisory lock tells within seconds (`assurePresence`). In both cases the attempt counts:
 * a chunk that ends its workers becomes poisoned, is then worked on alone (`acquirePoisoned`), and at last exhausted.
 *
 * A process that may have lost a lease begins nothing more under it (`HeldLease`), and the next renewal tells what it has lost. What it had begun
 * it may still commit, although another process works on it as well: leases only save double work, and the unique key of the results makes sure
 * that nothing counts twice. When PostgreSQL was away for all of them, each renews what is its own before any takes what others have not
 * renewed (`SilenceOfDatabase`).
 */
@Injectable()
export class ChunkLeases {
  private readonly silence: SilenceOfDatabase;

  constructor(
    private readonly openBatches: OpenBatchesStore,
    private readonly batches: BatchStore,
    private readonly chunks: ChunkStore,
    private readonly repartition: RepartitionStore,
    private readonly presence: WorkerPresenceService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {
    this.silence = new SilenceOfDatabase(performance.now(), clock.now());
  }

  /**
   * Leases chunks of the batch whose turn it is; the first chunks of a batch start it.
   * @param exceptAccounts accounts whose chunks are not wanted now
   * @param open chunks that this process works on already
   * @param maxChunks chunks that there is room for
   * @param mayRepartition false while this process repartitions a batch, whose items are all in memory
   */
  async acquire(
    exceptAccounts: readonly string[],
    open: readonly LeasedChunk[],
    mayRepartition: boolean,
    maxChunks: number,
  ): Promise<LeasedUnit | null> {
    const [lease, held] = this.takeover();
    for (const id of await this.openBatches.nextBatches(lease, exceptAccounts, mayRepartition, MAX_TRIES)) {
      const leased = await this.leaseOf(id, lease, open, { mayRepartition, maxChunks });
      const batch = leased && (await this.batches.find(id));
      if (leased !== null && batch !== null)
        return this.start({ ...leased, batch, lease: held, isPoisoned: false }, lease);
    }
    return null;
  }

  /**
   * Leases small batches that nobody has begun, each a unit of its own.
   * @param exceptAccounts accounts whose batches are not wanted now
   */
  async acquireSmall(exceptAccounts: readonly string[], limit: number): Promise<LeasedUnit[]> {
    const begunAt = performance.now();
    const lease = this.newLease(randomUUID());
    const leased = await this.openBatches.leaseSmall(lease, exceptAccounts, limit);
    const common = { leaseOwner: lease.owner, isByDomain: false, isPoisoned: false };
    return leased.map(({ batch, chunk }) => ({ batch, chunks: [chunk], lease: new HeldLease(begunAt), ...common }));
  }

  /** Leases one poisoned chunk; null when there is none. */
  async acquirePoisoned(): Promise<LeasedUnit | null> {
    const [lease, held] = this.takeover();
    const chunk = await this.chunks.leasePoisoned(lease);
    const batch = chunk && (await this.batches.find(chunk.batchId));
    return batch && this.start({ batch, chunks: [chunk], lease: held, isByDomain: false, isPoisoned: true }, lease);
  }

  /** Renews the leases, and yields what became of each unit as soon as it is known. */
  async *renew(units: readonly LeasedUnit[]): AsyncGenerator<Renewal, void> {
    if (units.length === 0) return;
    const ids = units.map(({ batch }) => batch.id);
    const running = await this.openBatches.running(ids, this.presence.region);
    for (const unit of units) yield running.has(unit.batch.id) ? await this.renewed(unit) : { unit, held: null };
  }

  /** Lets other processes take at once the chunks that this one will not finish. */
  async release({ batch, leaseOwner }: LeasedUnit): Promise<void> {
    await this.chunks.releaseChunks(batch.id, leaseOwner, null);
  }

  /** Lets any process take chunks of the unit that this one will not begin soon, from `notBefore` on. */
  async giveBack({ batch, leaseOwner }: LeasedUnit, chunks: readonly LeasedChunk[], notBefore: Date): Promise<void> {
    const numbers = chunks.map(({ number }) => number);
    await this.chunks.releaseChunks(batch.id, leaseOwner, notBefore, numbers);
  }

  /** Records for the estimate of the batch's end when this unit, and what waits of its partitions in the tables, end at its pace. */
  async recordWait({ batch, leaseOwner }: LeasedUnit, left: Iterable<LeasedChunk>, unit: UnitProgress): Promise<void> {
    const now = this.clock.now();
    const itemsPerSecond = unit.pace(now) * 1000;
    const partitions = [...new Set([...left].map(({ partition }) => partition))];
    if (itemsPerSecond === 0 || partitions.length === 0) return;
    const wait = { batchId: batch.id, partitions, leaseOwner, items: unit.open, itemsPerSecond };
    await this.chunks.recordWait(wait, new Date(now));
  }

  /** Lets any process take the chunks after a pause, in which an unreachable server may come back. */
  async releaseAfterPause({ batch, leaseOwner }: LeasedUnit): Promise<void> {
    await this.chunks.releaseChunks(batch.id, leaseOwner, this.newLease(leaseOwner).expiresAt);
  }

  /** Shows that this process lives, and frees the chunks of dead ones. */
  async assurePresence(): Promise<void> {
    await this.presence.assure();
    const now = performance.now();
    this.silence.answered(now, this.clock.now());
    // After an outage a worker may live and lack its lock, because it has not noticed yet that its connection is lost.
    if (!this.silence.isRecent(now)) await this.chunks.releaseChunksOfDeadWorkers();
  }

  private async renewed(unit: LeasedUnit): Promise<Renewal> {
    for (let tries = 1; ; tries++) {
      const begunAt = performance.now();
      const { owner, expiresAt } = this.newLease(unit.leaseOwner);
      const held = new Set(await this.chunks.renewLease(unit.batch.id, { owner, expiresAt }));
      unit.lease.renewed(begunAt);
      // A renewal that PostgreSQL was slow to do is nearly over again.
      if (held.size === 0 || unit.lease.isSure(performance.now()) || tries === MAX_RENEWALS) return { unit, held };
    }
  }

  private async leaseOf(
    batchId: number,
    lease: Lease,
    open: readonly LeasedChunk[],
    { mayRepartition, maxChunks }: { mayRepartition: boolean; maxChunks: number },
  ) {
    const mine = new Map<number, number>();
    for (const chunk of open)
      if (chunk.batchId === batchId) mine.set(chunk.partition, (mine.get(chunk.partition) ?? 0) + 1);
    const partitions = await this.chunks.openPartitions(batchId, lease);
    const isByDomain = mayRepartition && partitions.some((partition) => partition.isByDomain && partition.free > 0);
    if (isByDomain && (await this.repartition.lease(batchId, lease)) > 0) return { chunks: [], isByDomain };
    const choice = pickPartitions(partitions, mine, Math.random());
    const chunks =
      choice === null
        ? []
        : await this.chunks.leaseChunks(batchId, { ...choice, limit: Math.min(choice.limit, maxChunks) }, lease);
    return chunks.length > 0 ? { chunks, isByDomain: false } : null;
  }

  private async start(unit: Omit<LeasedUnit, 'leaseOwner'>, lease: Lease): Promise<LeasedUnit> {
    const again = unit.chunks.filter(({ attempts }) => attempts > 1).length;
    if (again > 0) takeovers.inc({}, again);
    if (unit.batch.state === 'queued') await this.batches.start(unit.batch.id, this.clock.date());
    return { ...unit, leaseOwner: lease.owner };
  }

  /** A lease that may take chunks which others had, and what is known of it. */
  private takeover(): [Lease, HeldLease] {
    const begunAt = performance.now();
    const lease = this.newLease(randomUUID());
    const othersEndedBy = new Date(this.silence.expiredBy(begunAt, lease.now.getTime()));
    return [{ ...lease, othersEndedBy }, new HeldLease(begunAt)];
  }

  private newLease(owner: string): Lease {
    const now = this.clock.now();
    const { number: workerId, region } = this.presence;
    return { owner, workerId, region, now: new Date(now), expiresAt: new Date(now + LEASE_MS) };
  }
}
