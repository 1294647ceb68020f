import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { MailWorlds } from '../verify/mail-worlds.js';
import { BatchGroupingStore } from './batch-grouping.store.js';
import { BatchIntakeStore } from './batch-intake.store.js';
import type { Batch } from './batch.lifecycle.js';
import { chooseOperatorBuckets } from './grouping/operator-buckets.js';
import { Regrouping } from './grouping/regrouping.js';
import { mailDomainOf } from './mail-domain.js';

/** Domains whose mail hosts are not known then stay by themselves: the rest of the batch shall not wait for silent name servers. */
const PATIENCE_MS = 20_000;
/** Blocks of rows whose places are rewritten in one statement. */
const BLOCKS_AT_ONCE = 16;

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
    private readonly worlds: MailWorlds,
  ) {}

  /** Replaces the chunks that the holder has taken, all at once. Rejects with the signal's reason. */
  async group(batch: Batch, holder: string, signal: AbortSignal): Promise<void> {
    const chunks = new Map<number, string[]>();
    const domains = new Map<string, number>();
    for await (const [number, emails] of this.grouping.addresses(batch.id, holder)) {
      chunks.set(number, emails);
      for (const email of emails) {
        const domain = mailDomainOf(email);
        domains.set(domain, (domains.get(domain) ?? 0) + 1);
      }
    }
    const buckets = await this.bucketsOf(batch, domains, signal);
    await this.database.transaction((tx) =>
      this.replace(tx, batch, holder, chunks, (email) => buckets.get(mailDomainOf(email))!),
    );
  }

  private async bucketsOf(batch: Batch, domains: ReadonlyMap<string, number>, signal: AbortSignal) {
    const samples = await this.grouping.samples(batch.id);
    const sampled = samples.map(({ bucket, email }) => ({ bucket, domain: mailDomainOf(email) }));
    const asked = new Set([...sampled.map(({ domain }) => domain), ...domains.keys()]);
    const engine = this.worlds.engineOf(batch);
    const operators = await engine.mailOperators(asked, { patienceMs: PATIENCE_MS, signal });
    const taken = new Map(sampled.map(({ bucket, domain }) => [operators.get(domain) ?? domain, bucket]));
    const firstBucket = Math.max(-1, ...samples.map(({ bucket }) => bucket)) + 1;
    return chooseOperatorBuckets({ domains, operators, taken, firstBucket });
  }

  private async replace(
    tx: EntityManager,
    { id, createdAt }: Batch,
    holder: string,
    chunks: ReadonlyMap<number, readonly string[]>,
    bucketOf: (email: string) => number,
  ): Promise<void> {
    if (!(await this.grouping.isRunning(tx, id))) return;
    const next = (await this.grouping.highestNumber(tx, id)) + 1;
    const removed = await this.grouping.remove(tx, id, holder);
    if (removed !== chunks.size) throw new Error('another process groups this batch');
    const regrouping = new Regrouping(chunks, bucketOf, next);
    for (let from = 0; ; from += BLOCKS_AT_ONCE) {
      const blocks = await this.grouping.places(tx, id, from, BLOCKS_AT_ONCE);
      if (blocks.length === 0) break;
      const moved = blocks.filter(({ places }) => regrouping.move(places));
      await this.grouping.setPlaces(tx, id, moved);
      await this.blocks.addChunks(tx, id, regrouping.takeFull(), createdAt);
      await nextTurn();
    }
    const made = regrouping.close();
    await this.blocks.addChunks(tx, id, regrouping.takeFull(), createdAt);
    await this.blocks.setRepeats(tx, id, regrouping.repeats.byChunk());
    if (!(await this.grouping.addOpenChunks(tx, id, made - removed)))
      throw new Error('the batch ended while it was grouped');
  }
}
