import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { BatchChunksStore, type Bucket, type Lease, type TakenChunk } from './batch-chunks.store.js';
import { BatchStore } from './batch.store.js';
import type { Load } from './batch-work-load.js';
import { BatchWorkStore } from './batch-work.store.js';

/** A load that nobody else works on while its lease is renewed. */
export interface LeasedLoad extends Load {
  readonly holder: string;
}

/** A killed worker's chunks are taken by others this long after its last renewal. */
const LEASE_MS = 10_000;
/** Another worker may take what was free a moment ago. */
const MOST_LOOKS = 5;

/** Who works on which chunks. Leases save double work; that nothing counts twice is up to the key of the results. */
@Injectable()
export class ChunkWorkLeasesService {
  constructor(
    private readonly database: DataSource,
    private readonly work: BatchWorkStore,
    private readonly batches: BatchStore,
    private readonly chunks: BatchChunksStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * Takes up to `limit` chunks of the batch whose turn it is; its first ones begin it.
   * @param exceptAccounts whose chunks are not wanted now
   */
  async take(limit: number, exceptAccounts: readonly string[]): Promise<LeasedLoad | null> {
    for (let look = 0; look < MOST_LOOKS; look++) {
      const lease = this.newLease(randomUUID());
      const id = await this.work.nextBatch(lease.now, exceptAccounts);
      if (id === null) return null;
      const chunks = await this.takeFrom(id, limit, lease);
      const batch = await this.batches.find(id);
      if (batch === null || chunks.length === 0) continue;
      if (batch.state === 'queued') await this.batches.start(this.database.manager, id, lease.now);
      return { batch, chunks, holder: lease.holder };
    }
    return null;
  }

  /** @returns the loads whose batch no longer runs */
  async renew(loads: readonly LeasedLoad[]): Promise<LeasedLoad[]> {
    if (loads.length === 0) return [];
    const running = await this.work.running(loads.map(({ batch }) => batch.id));
    const kept = loads.filter(({ batch }) => running.has(batch.id));
    for (const { batch, holder } of kept) await this.chunks.renewLeases(batch.id, this.newLease(holder));
    return loads.filter((load) => !kept.includes(load));
  }

  async giveBack({ batch, holder }: LeasedLoad): Promise<void> {
    await this.chunks.returnChunks(batch.id, holder);
  }

  /** Where the fewest work first: two workers at one operator would only share what it bears. */
  private async takeFrom(batchId: number, limit: number, lease: Lease): Promise<TakenChunk[]> {
    const buckets = await this.chunks.buckets(batchId, lease.now);
    const best = buckets.filter(({ free }) => free > 0).sort(byLeastHeld)[0];
    if (best === undefined) return [];
    const taken = await this.chunks.takeChunks(batchId, limit, lease, best.bucket);
    if (taken.length === limit) return taken;
    return [...taken, ...(await this.chunks.takeChunks(batchId, limit - taken.length, lease))];
  }

  private newLease(holder: string): Lease {
    const now = this.clock.now();
    return { holder, now: new Date(now), until: new Date(now + LEASE_MS) };
  }
}

function byLeastHeld(one: Bucket, other: Bucket): number {
  return one.held - other.held || other.free - one.free;
}
