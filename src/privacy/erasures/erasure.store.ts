import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';

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
}

export const ERASURE_STATES = ['working', 'waiting', 'done', 'failed'] as const;
export type ErasureState = (typeof ERASURE_STATES)[number];

/** An erasure as its account sees it: without the address. */
export interface Erasure extends Owner, ErasedCounts {
  readonly id: string;
  readonly suppressed: boolean;
  readonly state: ErasureState;
  /** Batches that are to be looked through, most of which still run. */
  readonly waitsFor: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** An erasure under way, locked by the process that does its next step. */
export interface OpenErasure extends Erasure {
  /** Sealed. */
  readonly address: Buffer;
  /** Null before all but batches was looked through for the first time. */
  readonly lookedAt: Date | null;
  /** Steps in a row that have failed. */
  readonly failures: number;
}

export interface NewErasure extends Owner {
  readonly id: string;
  readonly address: Buffer;
  readonly suppressed: boolean;
  readonly createdAt: Date;
}

/** A batch that is still to be looked through. */
export interface LeftBatch {
  readonly id: number;
  readonly totalRows: number;
}

const COLUMNS = `id, account_id AS "accountId", simulated, suppressed, state, batches, rows, bodies, answers,
  kept_replies AS "keptReplies", verdicts, suppressions, agents, created_at AS "createdAt", finished_at AS "finishedAt",
  (SELECT count(*)::integer FROM erasure_batches WHERE erasure_id = id) AS "waitsFor"`;

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
  async countOpen(tx: EntityManager, { accountId, simulated }: Owner): Promise<number> {
    const what = `erasures of ${accountId} ${simulated}`;
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [what]);
    const [{ count }]: [{ count: number }] = await tx.query(
      `SELECT count(*)::integer AS count FROM erasures
        WHERE account_id = $1 AND simulated = $2 AND finished_at IS NULL`,
      [accountId, simulated],
    );
    return count;
  }

  /** All of an owner, the newest first. */
  list({ accountId, simulated }: Owner, limit: number): Promise<Erasure[]> {
    return this.database.query(
      `SELECT ${COLUMNS} FROM erasures WHERE account_id = $1 AND simulated = $2 ORDER BY created_at DESC, id LIMIT $3`,
      [accountId, simulated, limit],
    );
  }

  async hasDue(now: Date): Promise<boolean> {
    const rows: unknown[] = await this.database.query(
      'SELECT FROM erasures WHERE finished_at IS NULL AND due_at <= $1 LIMIT 1',
      [now],
    );
    return rows.length > 0;
  }

  /** Locks the erasure that is due first and that no other process works on. */
  async lockDue(tx: EntityManager, now: Date): Promise<OpenErasure | null> {
    const rows: OpenErasure[] = await tx.query(
      `SELECT ${COLUMNS}, address, looked_at AS "lookedAt", failures FROM erasures
        WHERE finished_at IS NULL AND due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [now],
    );
    return rows[0] ?? null;
  }

  /** Batches that have ended and are to be looked through. Those that are gone are forgotten. */
  async ended(tx: EntityManager, erasureId: string, limit: number): Promise<LeftBatch[]> {
    await tx.query(
      `DELETE FROM erasure_batches AS left_one
        WHERE erasure_id = $1 AND NOT EXISTS (SELECT FROM batches WHERE id = left_one.batch_id)`,
      [erasureId],
    );
    return tx.query(
      `SELECT id, total_rows AS "totalRows" FROM erasure_batches JOIN batches ON id = batch_id
        WHERE erasure_id = $1 AND finished_at IS NOT NULL ORDER BY batch_id LIMIT $2`,
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
    const { suppressions = 0, agents = 0 } = counts;
    await tx.query(
      `UPDATE erasures SET batches = batches + $2, rows = rows + $3, bodies = bodies + $4, answers = answers + $5,
              kept_replies = kept_replies + $6, verdicts = verdicts + $7, suppressions = suppressions + $8, agents = agents + $9
        WHERE id = $1`,
      [id, batches, rows, bodies, answers, keptReplies, verdicts, suppressions, agents],
    );
  }

  /** All but batches was looked through. */
  async setLooked(tx: EntityManager, id: string, at: Date): Promise<void> {
    await tx.query('UPDATE erasures SET looked_at = coalesce(looked_at, $2) WHERE id = $1', [id, at]);
  }

  /** Ends a step that went well. Lets no process look again before `dueAt`, nor before those that were due earlier. */
  async wait(tx: EntityManager, id: string, state: 'working' | 'waiting', dueAt: Date): Promise<void> {
    await tx.query('UPDATE erasures SET state = $2, due_at = $3, failures = 0 WHERE id = $1', [id, state, dueAt]);
  }

  /** Counts a step that has failed, once if two processes tried it, and lets none try again before `dueAt`. */
  async putOff({ id, failures }: Pick<OpenErasure, 'id' | 'failures'>, dueAt: Date): Promise<void> {
    await this.database.query(
      'UPDATE erasures SET failures = failures + 1, due_at = $2 WHERE id = $1 AND failures = $3 AND finished_at IS NULL',
      [id, dueAt, failures],
    );
  }

  /** Ends the work, and forgets the address. */
  async finish(tx: EntityManager, id: string, state: 'done' | 'failed', at: Date): Promise<void> {
    await tx.query('UPDATE erasures SET state = $2, finished_at = $3, address = NULL WHERE id = $1', [id, state, at]);
    await tx.query('DELETE FROM erasure_batches WHERE erasure_id = $1', [id]);
  }
}
