import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { BatchChunksStore, type Lease, type TakenChunk } from './batch-chunks.store.js';
import { BatchStore } from './batch.store.js';
import { BatchGroupingStore } from './batch-grouping.store.js';
import type { Load } from './batch-work-load.js';
import { BatchWorkStore } from './batch-work.store.js';
import { chooseBuckets } from './bucket-choice.js';
import { WorkerPresenceService } from './worker-presence.service.js';

/** A load that nobody else works on while its lease is renewed. */
export interface LeasedLoad extends Load {
  readonly holder: string;
  /** All that its batch has to group by mail operator, instead of chunks to work on. */
  readonly isUngrouped: boolean;
  /** One chunk that was begun in vain before. */
  readonly isSuspect: boolean;
}

/** The chunks of a worker that says nothing more are taken by others this long after its last renewal; of a killed one sooner. */
const LEASE_MS = 10_000;
/** Batches that are looked at: others may work on all of the buckets of the first ones. */
const MOST_LOOKS = 10;

/** Who works on which chunks. Leases save double work; that nothing counts twice is up to the key of the results. */
@Injectable()
export class ChunkWorkLeasesService {
  constructor(
    private readonly work: BatchWorkStore,
    private readonly batches: BatchStore,
    private readonly chunks: BatchChunksStore,
    private readonly grouping: BatchGroupingStore,
    private readonly presence: WorkerPresenceService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * Takes chunks of the batch whose turn it is; its first ones begin it.
   * @param exceptAccounts whose chunks are not wanted now
   * @param open what this process works on already
   * @param mayGroup it groups no other batch, whose addresses are all in memory
   */
  async take(
    exceptAccounts: readonly string[],
    open: readonly TakenChunk[],
    mayGroup: boolean,
  ): Promise<LeasedLoad | null> {
    const lease = this.newLease(randomUUID());
    for (const id of await this.work.nextBatches(lease.now, exceptAccounts, mayGroup, MOST_LOOKS)) {
      const taken = await this.takeFrom(id, lease, open, mayGroup);
      const batch = taken && (await this.batches.find(id));
      if (taken !== null && batch !== null) return this.begun({ ...taken, batch, isSuspect: false }, lease);
    }
    return null;
  }

  /** Takes one of the chunks that were begun in vain several times; null when there is none. */
  async takeSuspect(): Promise<LeasedLoad | null> {
    const lease = this.newLease(randomUUID());
    const chunk = await this.chunks.takeSuspect(lease);
    const batch = chunk && (await this.batches.find(chunk.batchId));
    return batch && this.begun({ batch, chunks: [chunk], isUngrouped: false, isSuspect: true }, lease);
  }

  /** @returns the loads whose batch no longer runs */
  async renew(loads: readonly LeasedLoad[]): Promise<LeasedLoad[]> {
    if (loads.length === 0) return [];
    const running = await this.work.running(loads.map(({ batch }) => batch.id));
    const kept = loads.filter(({ batch }) => running.has(batch.id));
    for (const { batch, holder } of kept) await this.chunks.renewLeases(batch.id, this.newLease(holder));
    return loads.filter((load) => !kept.includes(load));
  }

  /** Lets others do at once what this process will not. */
  async giveBack({ batch, holder }: LeasedLoad): Promise<void> {
    await this.chunks.returnChunks(batch.id, holder, null);
  }

  /** The same after a pause, for what is away to be back. */
  async postpone({ batch, holder }: LeasedLoad): Promise<void> {
    await this.chunks.returnChunks(batch.id, holder, this.newLease(holder).until);
  }

  /** Says that this process lives, and takes from the dead. */
  async assurePresence(): Promise<void> {
    await this.presence.assure();
    await this.chunks.freeChunksOfTheDead();
  }

  private async takeFrom(batchId: number, lease: Lease, open: readonly TakenChunk[], mayGroup: boolean) {
    const mine = new Map<number, number>();
    for (const chunk of open) if (chunk.batchId === batchId) mine.set(chunk.bucket, (mine.get(chunk.bucket) ?? 0) + 1);
    const buckets = await this.chunks.buckets(batchId, lease.now);
    const isUngrouped = mayGroup && buckets.some((bucket) => bucket.isUngrouped && bucket.free > 0);
    if (isUngrouped && (await this.grouping.take(batchId, lease)) > 0) return { chunks: [], isUngrouped };
    const choice = chooseBuckets(buckets, mine, Math.random());
    const chunks = choice === null ? [] : await this.chunks.takeChunks(batchId, choice, lease);
    return chunks.length > 0 ? { chunks, isUngrouped: false } : null;
  }

  private async begun(load: Omit<LeasedLoad, 'holder'>, lease: Lease): Promise<LeasedLoad> {
    if (load.batch.state === 'queued') await this.batches.start(load.batch.id, lease.now);
    return { ...load, holder: lease.holder };
  }

  private newLease(holder: string): Lease {
    const now = this.clock.now();
    return { holder, worker: this.presence.number, now: new Date(now), until: new Date(now + LEASE_MS) };
  }
}
