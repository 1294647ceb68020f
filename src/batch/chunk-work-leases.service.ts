import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { BatchChunksStore, type Lease, type TakenChunk } from './batch-chunks.store.js';
import { BatchStore } from './batch.store.js';
import type { Load } from './batch-work-load.js';
import { BatchWorkStore } from './batch-work.store.js';
import { chooseBuckets } from './bucket-choice.js';

/** A load that nobody else works on while its lease is renewed. */
export interface LeasedLoad extends Load {
  readonly holder: string;
}

/** A killed worker's chunks are taken by others this long after its last renewal. */
const LEASE_MS = 10_000;
/** Batches that are looked at in vain: others may work on all of their buckets. */
const MOST_LOOKS = 10;

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
   * Takes chunks of the batch whose turn it is; its first ones begin it.
   * @param exceptAccounts whose chunks are not wanted now
   * @param open what this process works on already
   */
  async take(exceptAccounts: readonly string[], open: readonly TakenChunk[]): Promise<LeasedLoad | null> {
    const passed: number[] = [];
    for (let look = 0; look < MOST_LOOKS; look++) {
      const lease = this.newLease(randomUUID());
      const id = await this.work.nextBatch(lease.now, exceptAccounts, passed);
      if (id === null) return null;
      const chunks = await this.takeFrom(id, lease, open);
      const batch = await this.batches.find(id);
      if (batch === null || chunks.length === 0) {
        passed.push(id);
        continue;
      }
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

  private async takeFrom(batchId: number, lease: Lease, open: readonly TakenChunk[]): Promise<TakenChunk[]> {
    const mine = new Map<number, number>();
    for (const chunk of open) if (chunk.batchId === batchId) mine.set(chunk.bucket, (mine.get(chunk.bucket) ?? 0) + 1);
    const choice = chooseBuckets(await this.chunks.buckets(batchId, lease.now), mine, Math.random());
    return choice === null ? [] : this.chunks.takeChunks(batchId, choice, lease);
  }

  private newLease(holder: string): Lease {
    const now = this.clock.now();
    return { holder, now: new Date(now), until: new Date(now + LEASE_MS) };
  }
}
