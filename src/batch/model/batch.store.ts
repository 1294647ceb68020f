import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import { ReadDatabase } from '../../platform/database/read-database.js';
import { definePrepared } from '../../platform/database/prepared.js';
import type { Position } from '../../platform/http/page.js';
import { type Batch, type BatchEvent, type BatchKindName, statesBefore, transition } from './batch.js';
import {
  BATCH_COLUMNS,
  type BatchRow,
  NEW_COLUMNS,
  type NewBatch,
  newValues,
  parameters,
  RECEIVED_COLUMNS,
  type ReceivedBatch,
  receivedValues,
  toBatch,
  type VerdictCounts,
} from './batch-row.js';

/** What the order of a held batch fills in. */
type OrderedBatch = Pick<Batch, 'keyId' | 'reservationId' | 'creditSource' | 'creditsReserved'>;

/** The selection of an owner's batches to list. */
interface ListedBatches {
  readonly after: Position | null;
  readonly limit: number;
  readonly completedOnly: boolean;
  readonly kind: BatchKindName;
}

/** At most so many items are taken in, leased and answered by one statement each. */
export const SMALL_BATCH = 100;

/** The batch $1 of account $2, or of an agent that this account has claimed, in mode $3. */
const OWNED = `id = $1 AND (account_id = $2 OR account_id IN (SELECT id FROM accounts WHERE claimed_by = $2)) AND simulated = $3`;
const SEEN = `${OWNED} AND kind = $4 AND state <> 'receiving'`;

/** The rows of `batches`: one for each batch, without its addresses. */
@Injectable()
export class BatchStore {
  constructor(
    private readonly database: DataSource,
    private readonly reads: ReadDatabase,
  ) {}

  /** Inserts a batch that no caller sees before `receive`. */
  async insert(tx: EntityManager, batch: NewBatch): Promise<void> {
    await tx.query(
      `INSERT INTO batches (${NEW_COLUMNS.join(', ')}, state)
       VALUES (${parameters(NEW_COLUMNS.length).join(', ')}, 'receiving')`,
      newValues(batch),
    );
  }

  /** Ends the upload of a batch whose rows are all stored. False when the cleanup has deleted it, because its upload took too long. */
  async receive(tx: EntityManager, id: number, received: ReceivedBatch): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(
      `UPDATE batches SET (${RECEIVED_COLUMNS.join(', ')}) = (${parameters(RECEIVED_COLUMNS.length, 3).join(', ')})
        WHERE id = $1 AND state = ANY ($2) RETURNING id`,
      [id, statesBefore('receive'), ...receivedValues(received)],
    );
    return rows.length > 0;
  }

  /**
   * Counts what an owner holds, for a caller that adds to it: until its transaction ends, no other one of this owner counts. It is an
   * advisory lock, because nobody else who works on the account should wait.
   */
  async countHeld(tx: EntityManager, { accountId, simulated }: Owner): Promise<{ batches: number; rows: number }> {
    const what = `held batches of ${accountId} ${simulated}`;
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [what]);
    const [held]: { batches: number; rows: number }[] = await tx.query(
      `SELECT count(*)::integer AS batches, coalesce(sum(total_rows), 0)::integer AS rows
         FROM batches WHERE account_id = $1 AND simulated = $2 AND state = 'held'`,
      [accountId, simulated],
    );
    return held!;
  }

  /** The key that has set the schedule of a list, which ends with it; null: it has none. */
  async scheduledBy(tx: EntityManager, listId: number): Promise<string | null> {
    const rows: { keyId: string }[] = await tx.query(
      'SELECT key_id AS "keyId" FROM list_schedules WHERE list_id = $1 FOR UPDATE',
      [listId],
    );
    return rows[0]?.keyId ?? null;
  }

  /** Queues a held batch, which the transaction has locked, for the key that ordered it. */
  async order(
    tx: EntityManager,
    id: number,
    { keyId, reservationId, creditSource, creditsReserved }: OrderedBatch,
  ): Promise<Batch> {
    const [rows]: [BatchRow[], number] = await tx.query(
      `UPDATE batches SET state = $2, key_id = $4, reservation_id = $5, credit_source = $6, credits_reserved = $7, expires_at = NULL
        WHERE id = $1 AND state = ANY ($3) RETURNING ${BATCH_COLUMNS}`,
      [id, transition('held', 'order'), statesBefore('order'), keyId, reservationId, creditSource, creditsReserved],
    );
    return toBatch(rows[0]!);
  }

  /** The batch of any account, for workers; null when it was deleted. */
  find(id: number): Promise<Batch | null> {
    return one(this.database.manager, 'id = $1', [id]);
  }

  findOf({ accountId, simulated }: Owner, id: number, kind: BatchKindName): Promise<Batch | null> {
    return one(this.database.manager, SEEN, [id, accountId, simulated, kind]);
  }

  /** As `findOf`, and locks it until the end of the transaction. */
  lockOf(tx: EntityManager, owner: Owner, id: number, kind: BatchKindName): Promise<Batch | null> {
    return one(tx, `${SEEN} FOR UPDATE`, [id, owner.accountId, owner.simulated, kind]);
  }

  /** Locks the batch until the end of the transaction. */
  lock(tx: EntityManager, id: number): Promise<Batch | null> {
    return one(tx, 'id = $1 FOR UPDATE', [id]);
  }

  /** Newest first; each owner's by the index. */
  async list(owner: Owner, { after, limit, completedOnly, kind }: ListedBatches): Promise<Batch[]> {
    const rows: BatchRow[] = await this.reads.query(
      `SELECT batch.* FROM (SELECT $1::uuid AS id UNION ALL SELECT id FROM accounts WHERE claimed_by = $1) AS owner
        CROSS JOIN LATERAL (
          SELECT ${BATCH_COLUMNS} FROM batches
           WHERE account_id = owner.id AND simulated = $2 AND kind = $3 AND state <> 'receiving'
             AND ($4 = false OR (state = 'completed' AND list_id IS NULL))
             AND ($5::timestamptz IS NULL OR (created_at, id) < ($5, $6::bigint))
           ORDER BY created_at DESC, id DESC LIMIT $7) AS batch
        ORDER BY "createdAt" DESC, id DESC LIMIT $7`,
      [owner.accountId, owner.simulated, kind, completedOnly, after?.at ?? null, after?.id ?? null, limit],
    );
    return rows.map(toBatch);
  }

  /** Starts a batch with its first leased chunk. False when it had started before, or has ended. */
  async start(id: number, at: Date): Promise<boolean> {
    const from = statesBefore('start');
    const rows = await start(this.database.manager, id, transition(from[0]!, 'start'), from, at);
    return rows.length > 0;
  }

  /** Ends a batch; its addresses are kept for its retention from now on. Null when it had ended before. */
  async finish(
    tx: EntityManager,
    id: number,
    event: Extract<BatchEvent, 'complete' | 'fail' | 'cancel'>,
    at: Date,
  ): Promise<Batch | null> {
    const from = statesBefore(event);
    const rows = await finish(tx, id, transition(from[0]!, event), from, at);
    return rows.length > 0 ? toBatch(rows[0]!) : null;
  }

  /**
   * Adds the results of passes to the counters. Locks the row until the transaction ends.
   * @param counts rows by verdict: a duplicate counts as often as it was sent
   * @param closedChunks chunks that are done
   * @returns the chunks left, or null when the batch no longer runs: then the caller keeps nothing of these passes
   */
  async moveCounters(
    tx: EntityManager,
    id: number,
    counts: VerdictCounts,
    creditsCharged: number,
    closedChunks: number,
  ): Promise<number | null> {
    const { valid, invalid, risky, unknown } = counts;
    const rows = await addToCounters(tx, id, valid, invalid, risky, unknown, creditsCharged, closedChunks);
    return rows[0]?.open_chunks ?? null;
  }

  async rename(tx: EntityManager, { accountId, simulated }: Owner, id: number, name: string): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(
      `UPDATE batches SET name = $4 WHERE ${OWNED} AND kind = 'verify' AND state = 'completed' RETURNING id`,
      [id, accountId, simulated, name],
    );
    return rows.length > 0;
  }

  /** The newest completed version of each of these lists that was verified again. */
  async currentVersions(listIds: readonly number[]): Promise<ReadonlyMap<number, Batch>> {
    if (listIds.length === 0) return new Map();
    const rows: BatchRow[] = await this.reads.query(
      `SELECT version.* FROM unnest($1::bigint[]) AS list (id)
        CROSS JOIN LATERAL (
          SELECT ${BATCH_COLUMNS} FROM batches
           WHERE list_id = list.id AND state = 'completed' ORDER BY finished_at DESC, id DESC LIMIT 1) AS version`,
      [listIds],
    );
    return new Map(rows.map((row) => [row.listId!, toBatch(row)]));
  }

  /** Locks the batches that have verified a list again, which the transaction has locked. */
  async lockVersions(tx: EntityManager, listId: number): Promise<Batch[]> {
    const rows: BatchRow[] = await tx.query(
      `SELECT ${BATCH_COLUMNS} FROM batches WHERE list_id = $1 ORDER BY id FOR UPDATE`,
      [listId],
    );
    return rows.map(toBatch);
  }

  /**
   * Keeps a batch, and the versions of the list that it is, so many days from whenever their retention began; what nothing ends yet goes on
   * so. The transaction has locked them.
   */
  async setRetention(tx: EntityManager, id: number, days: number): Promise<Batch> {
    const [rows]: [BatchRow[], number] = await tx.query(
      `UPDATE batches SET retention_days = $2,
              expires_at = CASE WHEN finished_at IS NULL THEN expires_at
                                ELSE expires_at + ($2 - retention_days) * interval '1 day' END
        WHERE id = $1 OR list_id = $1 RETURNING ${BATCH_COLUMNS}`,
      [id, days],
    );
    return toBatch(rows.find((row) => row.id === id)!);
  }

  /** @param at null: ended batches are kept until somebody says otherwise; else for their retention from then on */
  async keepFrom(tx: EntityManager, ids: readonly number[], at: Date | null): Promise<void> {
    await tx.query(
      `UPDATE batches SET expires_at = $2::timestamptz + retention_days * interval '1 day'
        WHERE id = ANY ($1::bigint[]) AND finished_at IS NOT NULL`,
      [ids, at],
    );
  }

  /** Deletes a batch with its rows, chunks and results: about one row of these tables for each 300 addresses. */
  async delete(tx: EntityManager, id: number): Promise<void> {
    await tx.query('DELETE FROM batches WHERE id = $1', [id]);
  }
}

async function one(tx: EntityManager, where: string, values: readonly unknown[]): Promise<Batch | null> {
  const rows: BatchRow[] = await tx.query(`SELECT ${BATCH_COLUMNS} FROM batches WHERE ${where}`, [...values]);
  return rows.length > 0 ? toBatch(rows[0]!) : null;
}

const addToCounters = definePrepared<{ readonly open_chunks: number }>(
  'addToCounters',
  `UPDATE batches
      SET valid = valid + $2, invalid = invalid + $3, risky = risky + $4, unknown = unknown + $5,
          credits_charged = credits_charged + $6, open_chunks = open_chunks - $7
    WHERE id = $1 AND state IN ('queued', 'processing') RETURNING open_chunks`,
);

const start = definePrepared(
  'startBatch',
  'UPDATE batches SET state = $2, started_at = $4 WHERE id = $1 AND state = ANY ($3) RETURNING id',
);

/** What the end of a batch sets. */
export const END = (at: string) =>
  `finished_at = ${at}::timestamptz, expires_at = ${at}::timestamptz + retention_days * interval '1 day'`;

const finish = definePrepared<BatchRow>(
  'finishBatch',
  `UPDATE batches SET state = $2, ${END('$4')} WHERE id = $1 AND state = ANY ($3) RETURNING ${BATCH_COLUMNS}`,
);
