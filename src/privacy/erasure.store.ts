import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Batch } from '../batch/model/batch.js';
import { lockErasures } from '../batch/upkeep/batch-erasure.service.js';
import type { Owner } from '../keys/access/owner.js';
import type { PageRequest } from '../platform/http/page.js';
import { type ErasureFailure, type ErasureState, MAX_NAMED_BATCHES } from './erasure-state.js';

/** What an erasure has taken out so far. */
export interface ErasedCounts {
  readonly batches: number;
  readonly rows: number;
  readonly bodies: number;
  readonly answers: number;
  readonly keptReplies: number;
  readonly verdicts: number;
  readonly suppressions: number;
  readonly agents: number;
  readonly names: number;
  readonly acts: number;
}

/** Whose erasures, and which; null: any. */
export interface ErasureFilter {
  readonly accountId: string | null;
  readonly simulated: boolean | null;
  readonly state: ErasureState | null;
}

/** An erasure as its account sees it: without the address. */
export interface Erasure extends Owner, ErasedCounts {
  readonly id: string;
  readonly suppressed: boolean;
  readonly state: ErasureState;
  /** Batches that are to be looked through, most of which still run. */
  readonly waitsFor: number;
  /** The first of those that have not ended. */
  readonly running: readonly Pick<Batch, 'id' | 'kind' | 'state'>[];
  /** Steps in a row that have failed. */
  readonly failures: number;
  /** Null unless it has failed. */
  readonly failure: ErasureFailure | null;
  readonly createdAt: Date;
  readonly dueAt: Date;
  readonly finishedAt: Date | null;
}

/** An erasure under way, locked by the process that does its next step. */
export interface OpenErasure extends Erasure {
  /** Sealed. */
  readonly address: Buffer;
  /** Null before all but batches was looked through for the first time. */
  readonly lookedAt: Date | null;
}

export type NewErasure = Pick<OpenErasure, keyof Owner | 'id' | 'address' | 'suppressed' | 'createdAt'>;

/** A batch that is still to be looked through. */
export type LeftBatch = Pick<Batch, 'id' | 'totalRows'>;

const COLUMNS = `id, account_id AS "accountId", simulated, suppressed, state, batches, rows, bodies, answers,
  kept_replies AS "keptReplies", verdicts, suppressions, agents, names, acts, failures, failure, created_at AS "createdAt", due_at AS "dueAt",
  finished_at AS "finishedAt", (SELECT count(*)::integer FROM erasure_batches WHERE erasure_id = erasures.id) AS "waitsFor",
  (SELECT coalesce(json_agg(running), '[]')
     FROM (SELECT batches.id, batches.kind, batches.state FROM erasure_batches JOIN batches ON batches.id = batch_id
            WHERE erasure_id = erasures.id AND batches.state = ANY ('{queued,processing}')
            ORDER BY batches.id LIMIT ${MAX_NAMED_BATCHES}) AS running) AS running`;

/** Erasures, and the batches that each has still to look through. */
@Injectable()
export class ErasureStore {
  constructor(private readonly database: DataSource) {}

  /** Begins an erasure, with all batches that these accounts have by now. */
  async insert(tx: EntityManager, erasure: NewErasure, accountIds: readonly string[]): Promise<Erasure> {
    const { id, accountId, simulated, address, suppressed, createdAt } = erasure;
    await tx.query(
      `INSERT INTO erasures (id, account_id, simulated, address, suppressed, state, created_at, due_at)
       VALUES ($1, $2, $3, $4, $5, 'working', $6, $6)`,
      [id, accountId, simulated, address, suppressed, createdAt],
    );
    // Of batches past their retention rows may be left for hours, which no caller sees.
    await tx.query(
      `SELECT delete_parts_of(array(SELECT batch_id FROM batch_remains WHERE account_id = ANY ($1::uuid[])))`,
      [accountIds],
    );
    await tx.query(
      `INSERT INTO erasure_batches (erasure_id, batch_id)
       SELECT $1, id FROM batches WHERE account_id = ANY ($2::uuid[]) AND simulated = $3`,
      [id, accountIds, simulated],
    );
    return (await this.find(tx, erasure, id))!;
  }

  async find(tx: EntityManager, { accountId, simulated }: Owner, id: string): Promise<Erasure | null> {
    const rows: Erasure[] = await tx.query(
      `SELECT ${COLUMNS} FROM erasures WHERE id = $1 AND account_id = $2 AND simulated = $3`,
      [id, accountId, simulated],
    );
    return rows[0] ?? null;
  }

  /** Counts the erasures of an owner that are under way, for a caller that adds one: one transaction at a time. */
  async countOpen(tx: EntityManager, owner: Owner): Promise<number> {
    await lockErasures(tx, owner);
    const [{ count }]: [{ count: number }] = await tx.query(
      `SELECT count(*)::integer AS count FROM erasures
        WHERE account_id = $1 AND simulated = $2 AND finished_at IS NULL`,
      [owner.accountId, owner.simulated],
    );
    return count;
  }

  /** Newest first; one more than the page holds, when there are more. */
  list({ accountId, simulated, state }: ErasureFilter, { after, limit }: PageRequest): Promise<Erasure[]> {
    return this.database.query(
      `SELECT ${COLUMNS} FROM erasures
        WHERE ($1::uuid IS NULL OR account_id = $1) AND ($2::boolean IS NULL OR simulated = $2)
          AND ($3::text IS NULL OR state = $3) AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $5::uuid))
        ORDER BY created_at DESC, id DESC LIMIT $6`,
      [accountId, simulated, state, after?.at, after?.id, limit + 1],
    );
  }

  async hasDue(now: Date): Promise<boolean> {
    const rows: unknown[] = await this.database.query(
      'SELECT FROM erasures WHERE finished_at IS NULL AND due_at <= $1 LIMIT 1',
      [now],
    );
    return rows.length > 0;
  }

  /** Locks the erasure whose turn it is and that no other process works on: accounts take turns, and in each the one that is due first. */
  async lockDue(tx: EntityManager, now: Date): Promise<OpenErasure | null> {
    const rows: { id: string }[] = await tx.query(
      `WITH turns AS MATERIALIZED (
         SELECT account_id,
                (SELECT max(stepped_at) FROM erasures AS one WHERE one.account_id = waiting.account_id) AS turn
           FROM (SELECT DISTINCT account_id FROM erasures WHERE finished_at IS NULL AND due_at <= $1) AS waiting)
       SELECT id FROM erasures JOIN turns USING (account_id)
        WHERE finished_at IS NULL AND due_at <= $1 ORDER BY turn NULLS FIRST, due_at LIMIT 1
          FOR UPDATE OF erasures SKIP LOCKED`,
      [now],
    );
    if (rows.length === 0) return null;
    const sql = `SELECT ${COLUMNS}, address, looked_at AS "lookedAt" FROM erasures WHERE id = $1`;
    const [open]: OpenErasure[] = await tx.query(sql, [rows[0]!.id]);
    return open!;
  }

  /** Batches that are held or have ended and are to be looked through. Those that are gone are forgotten. */
  async idle(tx: EntityManager, erasureId: string, limit: number): Promise<LeftBatch[]> {
    await tx.query(
      `DELETE FROM erasure_batches AS left_one
        WHERE erasure_id = $1 AND NOT EXISTS (SELECT FROM batches WHERE id = left_one.batch_id)`,
      [erasureId],
    );
    return tx.query(
      `SELECT id, total_rows AS "totalRows" FROM erasure_batches JOIN batches ON id = batch_id
        WHERE erasure_id = $1 AND (finished_at IS NOT NULL OR state = 'held') ORDER BY batch_id LIMIT $2`,
      [erasureId, limit],
    );
  }

  async forget(tx: EntityManager, erasureId: string, batchIds: readonly number[]): Promise<void> {
    await tx.query('DELETE FROM erasure_batches WHERE erasure_id = $1 AND batch_id = ANY ($2::bigint[])', [
      erasureId,
      batchIds,
    ]);
  }

  async add(tx: EntityManager, id: string, counts: Partial<ErasedCounts>): Promise<void> {
    const { batches = 0, rows = 0, bodies = 0, answers = 0, keptReplies = 0, verdicts = 0 } = counts;
    const { suppressions = 0, agents = 0, names = 0, acts = 0 } = counts;
    await tx.query(
      `UPDATE erasures SET batches = batches + $2, rows = rows + $3, bodies = bodies + $4, answers = answers + $5,
              kept_replies = kept_replies + $6, verdicts = verdicts + $7, suppressions = suppressions + $8, agents = agents + $9,
              names = names + $10, acts = acts + $11
        WHERE id = $1`,
      [id, batches, rows, bodies, answers, keptReplies, verdicts, suppressions, agents, names, acts],
    );
  }

  /** All but batches was looked through. */
  async setLooked(tx: EntityManager, id: string, at: Date): Promise<void> {
    await tx.query('UPDATE erasures SET looked_at = coalesce(looked_at, $2) WHERE id = $1', [id, at]);
  }

  /** Ends a step that went well, at `at`. Lets no process look again before `dueAt`, nor before the turns of others. */
  async wait(tx: EntityManager, id: string, state: 'working' | 'waiting', at: Date, dueAt: Date): Promise<void> {
    await tx.query('UPDATE erasures SET state = $2, stepped_at = $3, due_at = $4, failures = 0 WHERE id = $1', [
      id,
      state,
      at,
      dueAt,
    ]);
  }

  /** Counts a step that has failed, and lets no process try again before `dueAt`. @returns false when another process was faster */
  async putOff(
    tx: EntityManager,
    { id, failures }: Pick<OpenErasure, 'id' | 'failures'>,
    at: Date,
    dueAt: Date,
  ): Promise<boolean> {
    const [, counted]: [unknown, number] = await tx.query(
      `UPDATE erasures SET failures = failures + 1, stepped_at = $2, due_at = $3
        WHERE id = $1 AND failures = $4 AND finished_at IS NULL`,
      [id, at, dueAt, failures],
    );
    return counted > 0;
  }

  /** Ends the work, and forgets the address. @param failure null: it is done */
  async finish(tx: EntityManager, id: string, failure: ErasureFailure | null, at: Date): Promise<void> {
    await tx.query(
      `UPDATE erasures SET state = $2, failure = $3, finished_at = $4, stepped_at = $4, address = NULL WHERE id = $1`,
      [id, failure === null ? 'done' : 'failed', failure, at],
    );
    await tx.query('DELETE FROM erasure_batches WHERE erasure_id = $1', [id]);
  }
}
