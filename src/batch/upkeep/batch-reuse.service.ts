import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import { RecentVerdicts } from '../../reuse/recent-verdicts.js';
import { type AddressToCache, type Reusable, ReuseService } from '../../reuse/reuse.service.js';
import { ADDRESSES } from '../model/batch-kind.js';
import { ResultsStore, type StoredPasses } from '../results/results.store.js';

/** Chunks read or changed by one statement. */
const STORED_PAGE_SIZE = 32;

/** An ended batch whose verdicts are not all kept yet. */
interface UnkeptBatch extends Owner {
  readonly id: number;
  readonly createdAt: Date;
}

interface NextChunks {
  readonly numbers: readonly number[];
  /** How often addresses had been erased from the batch by then. */
  readonly erasures: number;
}

/** Chunks whose verdicts are kept by one transaction. */
const CHUNK_PAGE_SIZE = 16;
/** Batches that one look of the workers finds. */
const REUSE_PAGE_SIZE = 100;
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
    private readonly results: ResultsStore,
    private readonly reuse: ReuseService,
    private readonly recent: RecentVerdicts,
  ) {}

  /** Keeps what ended lately, before the caller looks in a transaction. */
  async prepare(owner: Owner): Promise<void> {
    if (!(await this.reuse.begin(owner))) return;
    await this.recent.flushOf(owner);
    let chunks = 0;
    for (const id of await this.unkept(owner, MAX_PREPARED_BATCHES)) {
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
    const reusable = await this.reuse.findAll(tx, batch, this.items(tx, batch.id), asked);
    await this.setKept(tx, batch.id, reusable.byChunk);
    return reusable;
  }

  /** Keeps the verdicts of ended batches, for accounts that use reuse. @returns how many batches it found */
  async keepEnded(limit = REUSE_PAGE_SIZE): Promise<number> {
    const ids = await this.unkept(null, limit);
    for (const id of ids) while ((await this.keepSome(id, { waits: false })) > 0);
    return ids.length;
  }

  /**
   * Keeps the verdicts of the next chunks of a batch.
   * @param waits for another process that keeps them: the caller looks for them next, and would pay for what it does not find
   * @returns how many chunks are kept, by whomever; 0 when all are, or another process keeps them and this one does not wait
   */
  private async keepSome(id: number, { waits }: { readonly waits: boolean }): Promise<number> {
    const next = await this.nextChunks(id, CHUNK_PAGE_SIZE);
    const { numbers } = next;
    // Before the transaction: whoever holds a connection never waits for another one.
    const passes = numbers.length === 0 ? [] : await this.results.findPasses(this.database.manager, id, numbers);
    return this.database.transaction(async (tx) => {
      const batch = await this.lock(tx, id, next, { waits });
      if (batch === null) return waits ? numbers.length : 0;
      await this.reuse.keep(tx, batch, verdictsOf(passes, batch.createdAt.getTime()));
      const isLast = numbers.length < CHUNK_PAGE_SIZE;
      // Null: all verdicts are kept.
      await tx.query('UPDATE batches SET kept_from = $2 WHERE id = $1', [id, isLast ? null : numbers.at(-1)! + 1]);
      return isLast ? 0 : numbers.length;
    });
  }

  /**
   * Ended batches of accounts that use reuse, the newest first.
   * @param owner null: of all
   */
  private async unkept(owner: Owner | null, limit: number): Promise<number[]> {
    const rows: { id: number }[] = await this.database.query(
      `SELECT id FROM batches JOIN verification_settings USING (account_id, simulated)
        WHERE finished_at IS NOT NULL AND kept_from IS NOT NULL AND kind = 'verify' AND address_key IS NOT NULL
          AND ($1::uuid IS NULL OR (account_id = $1 AND simulated = $2)) ORDER BY finished_at DESC LIMIT $3`,
      [owner?.accountId ?? null, owner?.simulated ?? null, limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Locks the batch against others who keep its verdicts, and against its deletion.
   * @param waits for those who have it locked; otherwise it counts as kept by them
   * @returns null when others have kept these chunks, or an address was erased since they were read
   */
  private async lock(
    tx: EntityManager,
    id: number,
    { numbers, erasures }: NextChunks,
    { waits }: { readonly waits: boolean },
  ): Promise<UnkeptBatch | null> {
    const [row]: UnkeptBatch[] = await tx.query(
      `SELECT id, account_id AS "accountId", simulated, created_at AS "createdAt" FROM batches
        WHERE id = $1 AND kept_from <= coalesce($2::integer, kept_from) AND erasures = $3
          FOR NO KEY UPDATE ${waits ? '' : 'SKIP LOCKED'}`,
      [id, numbers[0] ?? null, erasures],
    );
    return row ?? null;
  }

  /** Numbers of the next chunks whose verdicts are to be kept. */
  private async nextChunks(id: number, limit: number): Promise<NextChunks> {
    const rows: { number: number | null; erasures: number }[] = await this.database.query(
      `SELECT number, erasures FROM batches LEFT JOIN batch_chunks ON batch_id = id AND number >= kept_from
        WHERE id = $1 ORDER BY number LIMIT $2`,
      [id, limit],
    );
    return { numbers: rows.flatMap(({ number }) => number ?? []), erasures: rows[0]?.erasures ?? 0 };
  }

  /** Nothing more is kept of these batches. */
  async leaveOut(tx: EntityManager, ids: readonly number[]): Promise<void> {
    await tx.query(
      `UPDATE batches SET kept_from = NULL
        WHERE id = ANY (ARRAY(SELECT id FROM batches WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE))`,
      [ids],
    );
  }

  /** The items of all chunks, a page of chunks at a time. */
  private async *items(tx: EntityManager, id: number): AsyncGenerator<{ number: number; items: readonly string[] }> {
    let after = -1;
    for (;;) {
      const rows: { number: number; items: string }[] = await tx.query(
        'SELECT number, items FROM batch_chunks WHERE batch_id = $1 AND number > $2 ORDER BY number LIMIT $3',
        [id, after, STORED_PAGE_SIZE],
      );
      for (const { number, items } of rows) yield { number, items: JSON.parse(items) as string[] };
      if (rows.length < STORED_PAGE_SIZE) return;
      after = rows.at(-1)!.number;
    }
  }

  /** Gives chunks the verdicts that their items get again. */
  async setKept(tx: EntityManager, id: number, byChunk: ReadonlyMap<number, Buffer>): Promise<void> {
    const all = [...byChunk];
    for (let i = 0; i < all.length; i += STORED_PAGE_SIZE) {
      const some = all.slice(i, i + STORED_PAGE_SIZE);
      await tx.query(
        `UPDATE batch_chunks AS chunk SET kept = given.kept FROM unnest($2::integer[], $3::bytea[]) AS given (number, kept)
          WHERE chunk.batch_id = $1 AND chunk.number = given.number`,
        [id, some.map(([number]) => number), some.map(([, kept]) => kept)],
      );
    }
  }
}

/** @param since an older verdict was given again itself, and is kept already */
function* verdictsOf(chunks: readonly StoredPasses[], since: number): Generator<AddressToCache> {
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
