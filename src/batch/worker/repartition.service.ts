import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { EngineSelector } from '../../verify/engine-selector.js';
import { VerdictBlock, VerdictBlockBuilder } from '../../reuse/verdict-block.js';
import { IntakeStore } from '../intake/intake.store.js';
import type { Batch } from '../model/batch.js';
import type { VerdictCounts } from '../model/batch-row.js';
import { BatchStore } from '../model/batch.store.js';
import {
  domainPartOf,
  CHUNK_SIZE,
  chunkOfRowRef,
  encodeRowRef,
  offsetOfRowRef,
  readRowRef,
  ROW_REF_BYTES,
  type RowRef,
  writeRowRef,
} from '../model/row-ref.js';
import { RepartitionStore } from './repartition.store.js';
import { type ChunkBlock, DuplicateCounts } from '../intake/blocks.js';
import { isLargePart, MAX_PARTITIONS, PARTITION_ADDRESSES } from '../intake/partitions.js';

/** A worker's knowledge of the addresses that it repartitions. */
interface DomainsByOperator {
  /** Addresses by mail domain. */
  readonly domains: ReadonlyMap<string, number>;
  /** The operator of each domain, to whose limits it is subject; a domain that is missing is its own operator. */
  readonly operators: ReadonlyMap<string, string>;
  /** Operators that have a partition already. */
  readonly taken: ReadonlyMap<string, number>;
  /** Partitions from this number on are free. */
  readonly firstPartition: number;
}

/**
 * Chooses one partition for all domains of an operator: a separate one for a large operator, else one shared with others, all of
 * about the same size.
 * @returns the partition of each domain, in the order of `domains`
 */
export function chooseOperatorPartitions({ domains, operators, taken, firstPartition }: DomainsByOperator): number[] {
  const operatorOf = (domain: string): string => operators.get(domain) ?? domain;
  const sizes = new Map<string, number>();
  let all = 0;
  for (const [domain, addresses] of domains) {
    const operator = operatorOf(domain);
    sizes.set(operator, (sizes.get(operator) ?? 0) + addresses);
    all += addresses;
  }
  const partitions = new Map(taken);
  let next = firstPartition;
  let rest = 0;
  for (const [operator, addresses] of sizes) {
    if (partitions.has(operator)) continue;
    if (isLargePart(addresses, all)) partitions.set(operator, next++);
    else rest += addresses;
  }
  const fill = Math.max(PARTITION_ADDRESSES, rest / MAX_PARTITIONS);
  let filled = 0;
  for (const [operator, addresses] of sizes) {
    if (partitions.has(operator)) continue;
    if (filled >= fill) {
      next += 1;
      filled = 0;
    }
    partitions.set(operator, next);
    filled += addresses;
  }
  return [...domains.keys()].map((domain) => partitions.get(operatorOf(domain))!);
}

/** A chunk whose items go into chunks by operator. */
export interface ChunkByDomain {
  /** JSON: its items. */
  readonly items: string;
  /** For each item the number of its mail domain. */
  readonly domains: Int32Array;
  /** The verdicts that its items are given again; null: none. */
  readonly kept: VerdictBlock | null;
}

/** A chunk by domain while it is emptied. To save memory its items are parsed only from the first move to the last. */
interface Source {
  readonly items: readonly string[];
  /** By offset, where in the block of kept verdicts an item's is. */
  readonly keptAt: ReadonlyMap<number, number>;
  left: number;
}

/** A chunk by operator that is not full. */
interface UnfinishedChunk {
  readonly number: number;
  readonly partition: number;
  readonly items: string[];
  kept: VerdictBlockBuilder | null;
}

/** The mark of an item in `Repartitioner.moved` that is still in its old chunk. */
const NOT_MOVED = -1;

/**
 * Moves the items of chunks by domain into new chunks by operator, partition by partition. It goes through the rows in the order in which
 * they were sent, so that results, which are read in this order, are still found in few chunks at a time.
 */
export class Repartitioner {
  readonly duplicates = new DuplicateCounts();
  /** New chunks so far. */
  made = 0;
  private readonly sources = new Map<number, Source>();
  private readonly open = new Map<number, UnfinishedChunk>();
  /** By old chunk, the new row ref of each of its items. */
  private readonly moved: ReadonlyMap<number, Int32Array>;
  private full: ChunkBlock[] = [];

  /**
   * @param chunks the old chunks, by number
   * @param partitions the new partition of each mail domain, by the domain's number
   * @param next the first free number of a chunk
   */
  constructor(
    private readonly chunks: ReadonlyMap<number, ChunkByDomain>,
    private readonly partitions: readonly number[],
    private next: number,
  ) {
    this.moved = new Map(
      [...chunks].map(([number, { domains }]) => [number, new Int32Array(domains.length).fill(NOT_MOVED)]),
    );
  }

  /**
   * Moves the items of a block's rows, and replaces the row refs of these rows.
   * @param rowRefs as in `RowBlock`
   * @returns false when nothing has changed
   */
  move(rowRefs: Buffer): boolean {
    let isChanged = false;
    for (let row = 0; row * ROW_REF_BYTES < rowRefs.length; row++) {
      const ref = readRowRef(rowRefs, row);
      const chunk = chunkOfRowRef(ref);
      const moved = this.moved.get(chunk);
      if (moved === undefined) continue;
      const offset = offsetOfRowRef(ref);
      if (moved[offset] === NOT_MOVED) moved[offset] = this.moveItem(chunk, offset);
      else this.duplicates.add(moved[offset]!);
      writeRowRef(rowRefs, row, moved[offset]!);
      isChanged = true;
    }
    return isChanged;
  }

  takeFull(): readonly ChunkBlock[] {
    const { full } = this;
    this.full = [];
    return full;
  }

  /** Closes the chunks that are not full, after the last row. */
  close(): void {
    for (const chunk of this.open.values()) this.closeChunk(chunk);
  }

  private moveItem(from: number, offset: number): RowRef {
    const { items, domains, kept } = this.chunks.get(from)!;
    let source = this.sources.get(from);
    if (source === undefined)
      this.sources.set(
        from,
        (source = { items: JSON.parse(items) as string[], keptAt: placesOf(kept), left: domains.length }),
      );
    source.left -= 1;
    if (source.left === 0) this.sources.delete(from);
    const partition = this.partitions[domains[offset]!]!;
    const chunk = this.open.get(partition) ?? this.openChunk(partition);
    const size = chunk.items.push(source.items[offset]!);
    const keptAt = source.keptAt.get(offset);
    if (keptAt !== undefined) kept!.copy(keptAt, (chunk.kept ??= new VerdictBlockBuilder()), 0, size - 1);
    if (size === CHUNK_SIZE) this.closeChunk(chunk);
    return encodeRowRef(chunk.number, size - 1);
  }

  private openChunk(partition: number): UnfinishedChunk {
    const chunk: UnfinishedChunk = { number: this.next++, partition, items: [], kept: null };
    this.made += 1;
    this.open.set(partition, chunk);
    return chunk;
  }

  private closeChunk({ number, partition, items, kept }: UnfinishedChunk): void {
    this.open.delete(partition);
    const json = Buffer.from(JSON.stringify(items));
    this.full.push({
      number,
      partition,
      partitionedBy: 'operator',
      size: items.length,
      items: json,
      kept: kept && kept.toBuffer(),
    });
  }
}

function placesOf(kept: VerdictBlock | null): ReadonlyMap<number, number> {
  return new Map(Array.from({ length: kept?.count ?? 0 }, (_, i) => [kept!.low(i), i]));
}

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
 * connections as by domain, and no two processes wait for each other at one operator (docs/adr/measured-choices.md, 23).
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
        kept: kept && new VerdictBlock(kept),
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
