import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { MailWorlds } from '../verify/mail-worlds.js';
import { BatchGroupingStore } from './batch-grouping.store.js';
import { BatchIntakeStore } from './batch-intake.store.js';
import type { Batch } from './batch.lifecycle.js';
import { BatchStore, type VerdictCounts } from './batch.store.js';
import { chooseOperatorBuckets } from './grouping/operator-buckets.js';
import { Regrouping, type UngroupedChunk } from './grouping/regrouping.js';
import { mailDomainOf } from './mail-domain.js';

/** Domains whose mail hosts are not known then stay by themselves: the rest of the batch shall not wait for silent name servers. */
const PATIENCE_MS = 20_000;
/** Blocks of rows whose places are rewritten in one statement. */
const BLOCKS_AT_ONCE = 16;
const NOTHING_SETTLED: VerdictCounts = { valid: 0, invalid: 0, risky: 0, unknown: 0 };

/**
 * Puts the addresses of a large batch together by mail operator, which nobody knows while they come: half as many connections as by
 * domain, and no two processes wait for each other at one operator (docs/adr/0023).
 */
@Injectable()
export class BatchGroupingService {
  constructor(
    private readonly database: DataSource,
    private readonly grouping: BatchGroupingStore,
    private readonly blocks: BatchIntakeStore,
    private readonly batches: BatchStore,
    private readonly worlds: MailWorlds,
  ) {}

  /** Replaces the chunks that the holder has taken, all at once. Rejects with the signal's reason. */
  async group(batch: Batch, holder: string, signal: AbortSignal): Promise<void> {
    const { chunks, domains } = await this.read(batch, holder);
    const buckets = await this.bucketsOf(batch, domains, signal);
    await this.database.transaction(async (tx) => {
      if (!(await this.grouping.lock(tx, batch.id))) return;
      const next = (await this.grouping.highestNumber(tx, batch.id)) + 1;
      const removed = await this.grouping.remove(tx, batch.id, holder);
      if (removed !== chunks.size) throw new Error('another process groups this batch');
      const regrouping = new Regrouping(chunks, buckets, next);
      await this.write(tx, batch, regrouping);
      const left = await this.batches.moveCounters(tx, batch.id, NOTHING_SETTLED, 0, removed - regrouping.made);
      if (left === null) throw new Error('the batch ended while it was grouped');
    });
  }

  /** What the holder has taken, and the number of addresses by mail domain, in the order of the domains' numbers. */
  private async read(batch: Batch, holder: string) {
    const chunks = new Map<number, UngroupedChunk>();
    const numbers = new Map<string, number>();
    const sizes: number[] = [];
    const numberOf = (email: string): number => {
      const domain = mailDomainOf(email);
      let number = numbers.get(domain);
      if (number === undefined) numbers.set(domain, (number = sizes.push(0) - 1));
      sizes[number]! += 1;
      return number;
    };
    for await (const [chunk, emails] of this.grouping.addresses(batch.id, holder))
      chunks.set(chunk, { emails, domains: new Int32Array((JSON.parse(emails) as string[]).map(numberOf)) });
    return { chunks, domains: new Map([...numbers.keys()].map((domain, number) => [domain, sizes[number]!])) };
  }

  private async bucketsOf(
    batch: Batch,
    domains: ReadonlyMap<string, number>,
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    const samples = await this.grouping.samples(batch.id);
    const sampled = samples.map(({ bucket, email }) => ({ bucket, domain: mailDomainOf(email) }));
    const asked = new Set([...sampled.map(({ domain }) => domain), ...domains.keys()]);
    const engine = this.worlds.engineOf(batch);
    const operators = await engine.mailOperators(asked, { patienceMs: PATIENCE_MS, signal });
    const taken = new Map(sampled.map(({ bucket, domain }) => [operators.get(domain) ?? domain, bucket]));
    const firstBucket = Math.max(-1, ...samples.map(({ bucket }) => bucket)) + 1;
    return chooseOperatorBuckets({ domains, operators, taken, firstBucket });
  }

  private async write(tx: EntityManager, { id, createdAt }: Batch, regrouping: Regrouping): Promise<void> {
    for (let from = 0; ; from += BLOCKS_AT_ONCE) {
      const blocks = await this.grouping.places(tx, id, from, BLOCKS_AT_ONCE);
      if (blocks.length === 0) break;
      const moved = blocks.filter(({ places }) => regrouping.move(places));
      await this.grouping.setPlaces(tx, id, moved);
      await this.blocks.addChunks(tx, id, regrouping.takeFull(), createdAt);
    }
    regrouping.close();
    await this.blocks.addChunks(tx, id, regrouping.takeFull(), createdAt);
    await this.blocks.setRepeats(tx, id, regrouping.repeats.byChunk());
  }
}
