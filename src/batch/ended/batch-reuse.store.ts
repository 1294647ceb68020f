import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';

/** Chunks read or changed by one statement. */
const CHUNK_PAGE_SIZE = 32;

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

/** What `kept_from` says of batches, and the kept verdicts that chunks are given. */
@Injectable()
export class BatchReuseStore {
  constructor(private readonly database: DataSource) {}

  /**
   * Ended batches of accounts that use reuse, the newest first.
   * @param owner null: of all
   */
  async unkept(owner: Owner | null, limit: number): Promise<number[]> {
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
  async lock(
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
  async nextChunks(id: number, limit: number): Promise<NextChunks> {
    const rows: { number: number | null; erasures: number }[] = await this.database.query(
      `SELECT number, erasures FROM batches LEFT JOIN batch_chunks ON batch_id = id AND number >= kept_from
        WHERE id = $1 ORDER BY number LIMIT $2`,
      [id, limit],
    );
    return { numbers: rows.flatMap(({ number }) => number ?? []), erasures: rows[0]?.erasures ?? 0 };
  }

  /** @param from null: all verdicts are kept */
  async setKeptFrom(tx: EntityManager, id: number, from: number | null): Promise<void> {
    await tx.query('UPDATE batches SET kept_from = $2 WHERE id = $1', [id, from]);
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
  async *items(tx: EntityManager, id: number): AsyncGenerator<{ number: number; items: readonly string[] }> {
    let after = -1;
    for (;;) {
      const rows: { number: number; items: string }[] = await tx.query(
        'SELECT number, items FROM batch_chunks WHERE batch_id = $1 AND number > $2 ORDER BY number LIMIT $3',
        [id, after, CHUNK_PAGE_SIZE],
      );
      for (const { number, items } of rows) yield { number, items: JSON.parse(items) as string[] };
      if (rows.length < CHUNK_PAGE_SIZE) return;
      after = rows.at(-1)!.number;
    }
  }

  /** Gives chunks the verdicts that their items get again. */
  async setKept(tx: EntityManager, id: number, byChunk: ReadonlyMap<number, Buffer>): Promise<void> {
    const all = [...byChunk];
    for (let i = 0; i < all.length; i += CHUNK_PAGE_SIZE) {
      const some = all.slice(i, i + CHUNK_PAGE_SIZE);
      await tx.query(
        `UPDATE batch_chunks AS chunk SET kept = given.kept FROM unnest($2::integer[], $3::bytea[]) AS given (number, kept)
          WHERE chunk.batch_id = $1 AND chunk.number = given.number`,
        [id, some.map(([number]) => number), some.map(([, kept]) => kept)],
      );
    }
  }
}
