import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { EngineSelector } from '../../verify/engine-selector.js';
import { KeptBlock } from '../../reuse/kept-block.js';
import { IntakeStore } from '../intake/intake.store.js';
import type { Batch } from '../model/batch.js';
import type { VerdictCounts } from '../model/batch-row.js';
import { BatchStore } from '../model/batch.store.js';
import { domainPartOf } from '../model/row-ref.js';
import { chooseOperatorPartitions, type ChunkByDomain, Repartitioner } from './repartitioner.js';
import { RepartitionStore } from './repartition.store.js';

/**
 * The time for looking up mail hosts. A domain whose hosts are not known by then counts as its own operator, so that silent name
 * servers hold nothing else up.
 */
const PATIENCE_MS = 20_000;
/** Blocks of rows whose row refs are rewritten in one statement. */
const BLOCK_PAGE_SIZE = 16;
const NOTHING_SETTLED: VerdictCounts = { valid: 0, invalid: 0, risky: 0, unknown: 0 };

/**
 * Groups the items of a large batch by mail operator, which DNS tells only after the upload. Work by operator needs half as many
 * connections as by domain, and no two processes wait for each other at one operator (docs/adr/0023).
 */
@Injectable()
export class RepartitionService {
  constructor(
    private readonly database: DataSource,
    private readonly store: RepartitionStore,
    private readonly blocks: IntakeStore,
    private readonly batches: BatchStore,
    private readonly engines: EngineSelector,
  ) {}

  /** Replaces the chunks of a lease by chunks by operator, all in one transaction. Rejects with the signal's reason. */
  async repartition(batch: Batch, leaseOwner: string, signal: AbortSignal): Promise<void> {
    const { chunks, domains } = await this.read(batch, leaseOwner);
    const partitions = await this.choosePartitions(batch, domains, signal);
    await this.database.transaction(async (tx) => {
      if (!(await this.store.lock(tx, batch.id))) return;
      const next = (await this.store.highestNumber(tx, batch.id)) + 1;
      const removed = await this.store.remove(tx, batch.id, leaseOwner);
      if (removed !== chunks.size) throw new Error('another process repartitions this batch');
      const repartitioner = new Repartitioner(chunks, partitions, next);
      await this.write(tx, batch, repartitioner);
      const left = await this.batches.moveCounters(tx, batch.id, NOTHING_SETTLED, 0, removed - repartitioner.made);
      if (left === null) throw new Error('the batch ended while it was repartitioned');
    });
  }

  /** Reads the chunks of the lease, numbers their mail domains and counts the items of each, in the order of these numbers. */
  private async read(batch: Batch, leaseOwner: string) {
    const chunks = new Map<number, ChunkByDomain>();
    const numbers = new Map<string, number>();
    const sizes: number[] = [];
    const numberOf = (item: string): number => {
      const domain = domainPartOf(item);
      let number = numbers.get(domain);
      if (number === undefined) numbers.set(domain, (number = sizes.push(0) - 1));
      sizes[number]! += 1;
      return number;
    };
    for await (const { number, items, kept } of this.store.leasedItems(batch.id, leaseOwner))
      chunks.set(number, {
        items,
        domains: new Int32Array((JSON.parse(items) as string[]).map(numberOf)),
        kept: kept && new KeptBlock(kept),
      });
    return { chunks, domains: new Map([...numbers.keys()].map((domain, number) => [domain, sizes[number]!])) };
  }

  private async choosePartitions(
    batch: Batch,
    domains: ReadonlyMap<string, number>,
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    const { samples, highest } = await this.store.partitions(batch.id);
    const sampled = samples.map(({ partition, item }) => ({ partition, domain: domainPartOf(item) }));
    const asked = new Set([...sampled.map(({ domain }) => domain), ...domains.keys()]);
    const engine = this.engines.engineOf(batch);
    const operators = await engine.mailOperators(asked, { patienceMs: PATIENCE_MS, signal, turn: batch.accountId });
    const taken = new Map(sampled.map(({ partition, domain }) => [operators.get(domain) ?? domain, partition]));
    return chooseOperatorPartitions({ domains, operators, taken, firstPartition: highest + 1 });
  }

  private async write(tx: EntityManager, { id, createdAt }: Batch, repartitioner: Repartitioner): Promise<void> {
    for (let from = 0; ; from += BLOCK_PAGE_SIZE) {
      const blocks = await this.store.rowRefs(tx, id, from, BLOCK_PAGE_SIZE);
      if (blocks.length === 0) break;
      const moved = blocks.filter(({ rowRefs }) => repartitioner.move(rowRefs));
      await this.store.setRowRefs(tx, id, moved);
      await this.blocks.addChunks(tx, id, repartitioner.takeFull(), createdAt);
    }
    repartitioner.close();
    await this.blocks.addChunks(tx, id, repartitioner.takeFull(), createdAt);
    await this.blocks.setDuplicates(tx, id, repartitioner.duplicates.byChunk());
  }
}
