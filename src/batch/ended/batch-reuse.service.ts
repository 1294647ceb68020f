import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import { RecentVerdicts } from '../../reuse/recent-verdicts.js';
import { type KeptAddress, type Reusable, ReuseService } from '../../reuse/reuse.service.js';
import { ADDRESSES } from '../model/batch-kind.js';
import { ResultsStore, type StoredPasses } from '../results/results.store.js';
import { BatchReuseStore } from './batch-reuse.store.js';

/** Chunks whose verdicts are kept by one transaction. */
const CHUNK_PAGE_SIZE = 16;
/** Batches that one look of the workers finds. */
const KEPT_TOGETHER = 100;
/** What a request keeps before it looks, of batches that ended lately; the sweep keeps the rest. */
const MAX_PREPARED_BATCHES = 50;
const MAX_PREPARED_CHUNKS = 64;

const NOTHING: Reusable = { count: 0, byChunk: new Map() };

/**
 * Keeps the verdicts of ended batches, and gives them to the addresses of new ones.
 *
 * A batch is kept after its end, not while it is worked on, so that commits have nothing to do with it: `kept_from` says how far. The
 * results stay where they are until their retention is over, so an account that uses reuse for the first time finds those of the batches that it
 * still has.
 */
@Injectable()
export class BatchReuseService {
  constructor(
    private readonly database: DataSource,
    private readonly store: BatchReuseStore,
    private readonly results: ResultsStore,
    private readonly reuse: ReuseService,
    private readonly recent: RecentVerdicts,
  ) {}

  /** Keeps what ended lately, before the caller looks in a transaction. */
  async prepare(owner: Owner): Promise<void> {
    if (!(await this.reuse.begin(owner))) return;
    await this.recent.flushOf(owner);
    let chunks = 0;
    for (const id of await this.store.unkept(owner, MAX_PREPARED_BATCHES)) {
      for (let kept = 1; kept > 0 && chunks < MAX_PREPARED_CHUNKS; chunks += kept)
        kept = await this.keepSome(id, { waits: true });
      if (chunks >= MAX_PREPARED_CHUNKS) return;
    }
  }

  /**
   * Finds what the addresses of a new batch are given again.
   * @param items of its only chunk, as JSON; null: its chunks are stored, and are given their verdicts
   */
  async give(tx: EntityManager, batch: Owner & { id: number }, items: string | null, days: number): Promise<Reusable> {
    if (days === 0) return NOTHING;
    // What is no address is answered without asking, and counted apart from what is given again, so that its price is known.
    const asked = { days, isAsked: (item: string) => !ADDRESSES.isMalformed(item) };
    if (items !== null)
      return this.reuse.findAll(tx, batch, [{ number: 0, items: JSON.parse(items) as string[] }], asked);
    const reusable = await this.reuse.findAll(tx, batch, this.store.items(tx, batch.id), asked);
    await this.store.setKept(tx, batch.id, reusable.byChunk);
    return reusable;
  }

  /** Gives chunks of a new batch the verdicts that their items get again. */
  setKept(tx: EntityManager, id: number, byChunk: ReadonlyMap<number, Buffer>): Promise<void> {
    return this.store.setKept(tx, id, byChunk);
  }

  /** Keeps nothing more of these batches. */
  leaveOut(tx: EntityManager, ids: readonly number[]): Promise<void> {
    return this.store.leaveOut(tx, ids);
  }

  /** Keeps the verdicts of ended batches, for accounts that use reuse. @returns how many batches it found */
  async keepEnded(limit = KEPT_TOGETHER): Promise<number> {
    const ids = await this.store.unkept(null, limit);
    for (const id of ids) while ((await this.keepSome(id, { waits: false })) > 0);
    return ids.length;
  }

  /**
   * Keeps the verdicts of the next chunks of a batch.
   * @param waits for another process that keeps them: the caller looks for them next, and would pay for what it does not find
   * @returns how many chunks are kept, by whomever; 0 when all are, or another process keeps them and this one does not wait
   */
  private async keepSome(id: number, { waits }: { readonly waits: boolean }): Promise<number> {
    const next = await this.store.nextChunks(id, CHUNK_PAGE_SIZE);
    const { numbers } = next;
    // Before the transaction: whoever holds a connection never waits for another one.
    const passes = numbers.length === 0 ? [] : await this.results.findPasses(this.database.manager, id, numbers);
    return this.database.transaction(async (tx) => {
      const batch = await this.store.lock(tx, id, next, { waits });
      if (batch === null) return waits ? numbers.length : 0;
      await this.reuse.keep(tx, batch, verdictsOf(passes, batch.createdAt.getTime()));
      const isLast = numbers.length < CHUNK_PAGE_SIZE;
      await this.store.setKeptFrom(tx, id, isLast ? null : numbers.at(-1)! + 1);
      return isLast ? 0 : numbers.length;
    });
  }
}

/** @param since an older verdict was given again itself, and is kept already */
function* verdictsOf(chunks: readonly StoredPasses[], since: number): Generator<KeptAddress> {
  for (const { items, passes } of chunks)
    for (const pass of passes) {
      const decoder = ADDRESSES.decode(pass, items);
      for (const offset of items.keys()) {
        const verdict = decoder.verdictAt(offset);
        if (verdict === null || verdict === 'unknown') continue;
        const { verification } = decoder.at(offset);
        const { normalizedEmail, email, checkedAt } = verification;
        if (checkedAt >= since) yield { address: normalizedEmail ?? email, verification };
      }
    }
}
