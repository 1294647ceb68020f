import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { MOST_BEGINNINGS, MOST_GROUPINGS, SUSPECT_AFTER } from './beginnings.js';
import type { Choice } from './bucket-choice.js';
import { definePrepared } from '../platform/database/prepared.js';
import { PRESENCE_LOCKS } from './worker-presence.service.js';

/** A chunk's round, leased to one worker. */
export interface TakenChunk {
  readonly batchId: number;
  readonly number: number;
  /** 0, then one more for each later try of soft answers. */
  readonly round: number;
  /** Addresses of one mail operator are in one bucket; in a negative one those of a mail domain. */
  readonly bucket: number;
  /** All addresses of the chunk, by offset. */
  readonly emails: readonly string[];
  /** Which of them this round verifies. */
  readonly offsets: readonly number[];
  /** Further rows that an address answers, by offset; those sent once are not in it. */
  readonly repeats: ReadonlyMap<number, number>;
}

export interface Bucket {
  readonly bucket: number;
  /** Chunks that may be taken now. */
  readonly free: number;
  /** Chunks that a worker holds. */
  readonly held: number;
  /** Some of its addresses are to be grouped by mail operator before they are worked on. */
  readonly isUngrouped: boolean;
}

export interface Lease {
  /** Of the worker; a lease is given back by whoever holds it. */
  readonly holder: string;
  /** Whom the others take for dead when its number is locked no more; null: they wait for the end of the lease. */
  readonly worker: number | null;
  readonly now: Date;
  /** Another may take the chunk then. */
  readonly until: Date;
}

export interface LaterRound {
  readonly dueAt: Date;
  /** Soft answers: verified again in the next round, and not among the results of this one. */
  readonly offsets: readonly number[];
}

/** What a round of a chunk came to, as far as it is stored. */
interface FinishedRound {
  readonly chunk: Pick<TakenChunk, 'number' | 'round'>;
  readonly results: string;
  readonly later: LaterRound | null;
}

/** What is left to do, and what has been done. PostgreSQL is the truth; nothing here is repeated in Redis. */
@Injectable()
export class BatchChunksStore {
  constructor(private readonly database: DataSource) {}

  /**
   * Leases up to `limit` chunks of these buckets that are due, in the order of their buckets, so that a run of them has domains in
   * common.
   */
  async takeChunks(batchId: number, { buckets, limit }: Choice, lease: Lease): Promise<TakenChunk[]> {
    const [rows]: [ChunkRow[], number] = await this.database.query(
      `UPDATE batch_chunks SET holder = $3, worker = $7, leased_until = $5, begun = begun + 1
        WHERE batch_id = $1 AND number IN (
          SELECT number FROM batch_chunks
           WHERE batch_id = $1 AND NOT done AND due_at <= $4 AND (leased_until IS NULL OR leased_until <= $4)
             AND begun < ${SUSPECT_AFTER} AND bucket = ANY ($6::smallint[])
           ORDER BY bucket, number LIMIT $2 FOR UPDATE SKIP LOCKED)
        RETURNING ${TAKEN_COLUMNS}`,
      [batchId, limit, lease.holder, lease.now, lease.until, buckets, lease.worker],
    );
    return rows.map(toChunk).sort((a, b) => a.bucket - b.bucket || a.number - b.number);
  }

  /** Leases the chunk of any batch that was begun least often of those that were begun too often to be taken with others. */
  async takeSuspect(lease: Lease): Promise<TakenChunk | null> {
    const [rows]: [ChunkRow[], number] = await this.database.query(
      `UPDATE batch_chunks SET holder = $1, worker = $2, leased_until = $4, begun = begun + 1
        WHERE (batch_id, number) IN (
          SELECT batch_id, number FROM batch_chunks JOIN batches ON id = batch_id AND finished_at IS NULL
           WHERE NOT done AND due_at <= $3 AND (leased_until IS NULL OR leased_until <= $3)
             AND begun >= ${SUSPECT_AFTER} AND begun < ${MOST_BEGINNINGS}
           ORDER BY begun, due_at LIMIT 1 FOR UPDATE OF batch_chunks SKIP LOCKED)
        RETURNING ${TAKEN_COLUMNS}`,
      [lease.holder, lease.worker, lease.now, lease.until],
    );
    return rows.length > 0 ? toChunk(rows[0]!) : null;
  }

  /** Keeps chunks while they are worked. @returns how many are still this holder's */
  async renewLeases(batchId: number, { holder, until }: Lease): Promise<number> {
    const [, renewed]: [unknown, number] = await this.database.query(
      'UPDATE batch_chunks SET leased_until = $3 WHERE batch_id = $1 AND holder = $2 AND NOT done',
      [batchId, holder, until],
    );
    return renewed;
  }

  /**
   * Lets others take what this holder will not finish for no fault of the chunks: that it has begun them does not count.
   * @param notBefore null: at once
   */
  async returnChunks(batchId: number, holder: string, notBefore: Date | null): Promise<void> {
    await this.database.query(
      `UPDATE batch_chunks SET holder = NULL, worker = NULL, leased_until = $3, begun = begun - 1
        WHERE batch_id = $1 AND holder = $2 AND NOT done`,
      [batchId, holder, notBefore],
    );
  }

  /** Lets others take what processes hold that have died. */
  async freeChunksOfTheDead(): Promise<void> {
    const dead: { worker: number }[] = await this.database.query(
      // In its first seconds no worker has found out yet that PostgreSQL was away, and taken its lock again.
      `SELECT worker FROM batch_chunks
        WHERE NOT done AND worker IS NOT NULL AND pg_postmaster_start_time() < now() - interval '10 seconds'
       EXCEPT
       SELECT objid::bigint::integer FROM pg_locks
        WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2 AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [PRESENCE_LOCKS],
    );
    if (dead.length === 0) return;
    await this.database.query(
      `UPDATE batch_chunks SET holder = NULL, worker = NULL, leased_until = NULL
        WHERE NOT done AND worker = ANY ($1::integer[])`,
      [dead.map(({ worker }) => worker)],
    );
  }

  /** What is open, by bucket: for whoever chooses where to work so that nobody waits for the same operator. */
  buckets(batchId: number, now: Date): Promise<Bucket[]> {
    return openBuckets(this.database.manager, batchId, now);
  }

  /** Running batches of which nothing is left but chunks that are not begun again. */
  async stuck(now: Date): Promise<number[]> {
    const rows: { id: number }[] = await this.database.query(
      `SELECT id FROM batches
        WHERE finished_at IS NULL AND ${IS_STUCK}
          AND id IN (SELECT batch_id FROM batch_chunks WHERE NOT done AND begun >= ${SUSPECT_AFTER})`,
      [now],
    );
    return rows.map(({ id }) => id);
  }

  /** The same of one batch that the transaction has locked. */
  async isStuck(tx: EntityManager, id: number, now: Date): Promise<boolean> {
    const rows: unknown[] = await tx.query(`SELECT FROM batches WHERE id = $2 AND ${IS_STUCK}`, [now, id]);
    return rows.length > 0;
  }

  /**
   * Stores what rounds have settled, each once, and closes their chunks or sets their next rounds.
   * @returns those that had not been stored before: of the others nothing else may change
   */
  async finishRounds<Round extends FinishedRound>(
    tx: EntityManager,
    batchId: number,
    rounds: readonly Round[],
  ): Promise<Round[]> {
    const stored: Round[] = [];
    // In one order, so that two who do the same chunks never wait for each other.
    for (const round of rounds.toSorted((a, b) => a.chunk.number - b.chunk.number)) {
      const { chunk, results } = round;
      const rows = await storeResults(tx, batchId, chunk.number, chunk.round, results);
      if (rows.length > 0) stored.push(round);
    }
    const closed: number[] = [];
    for (const { chunk, later } of stored) {
      if (later === null) closed.push(chunk.number);
      else await setNextRound(tx, batchId, chunk.number, later.offsets, later.dueAt);
    }
    if (closed.length > 0) await closeChunks(tx, batchId, closed);
    return stored;
  }
}

/** What a later round or a third beginning finds is worked as it is. */
export const IS_UNGROUPED = `bucket < 0 AND round = 0 AND begun < ${MOST_GROUPINGS}`;

const openBuckets = definePrepared<Bucket>(
  'openBuckets',
  `SELECT bucket,
          (count(*) FILTER (WHERE due_at <= $2 AND (leased_until IS NULL OR leased_until <= $2)
                              AND begun < ${SUSPECT_AFTER}))::integer AS free,
          (count(*) FILTER (WHERE leased_until > $2))::integer AS held,
          bool_or(${IS_UNGROUPED}) AS "isUngrouped"
     FROM batch_chunks WHERE batch_id = $1 AND NOT done GROUP BY bucket ORDER BY bucket`,
);

const storeResults = definePrepared(
  'storeResults',
  'INSERT INTO batch_results (batch_id, chunk, round, results) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING round',
);

const ROUND_ENDS = 'round = round + 1, holder = NULL, worker = NULL, leased_until = NULL, begun = 0';

const closeChunks = definePrepared(
  'closeChunks',
  `UPDATE batch_chunks SET ${ROUND_ENDS}, done = true, offsets = NULL WHERE batch_id = $1 AND number = ANY ($2::integer[])`,
);

const setNextRound = definePrepared(
  'setNextRound',
  `UPDATE batch_chunks SET ${ROUND_ENDS}, offsets = $3, due_at = $4 WHERE batch_id = $1 AND number = $2`,
);

const IS_STUCK = `NOT EXISTS (
  SELECT FROM batch_chunks
   WHERE batch_id = batches.id AND NOT done AND (begun < ${MOST_BEGINNINGS} OR leased_until > $1))`;

const TAKEN_COLUMNS = 'batch_id, number, round, bucket, emails, offsets, repeats';

interface ChunkRow {
  readonly batch_id: number;
  readonly number: number;
  readonly round: number;
  readonly bucket: number;
  readonly emails: string;
  readonly offsets: number[] | null;
  readonly repeats: number[];
}

function toChunk({ batch_id: batchId, number, round, bucket, emails, offsets, repeats }: ChunkRow): TakenChunk {
  const all = JSON.parse(emails) as string[];
  const pairs = repeats.flatMap((offset, i): [number, number][] => (i % 2 === 0 ? [[offset, repeats[i + 1]!]] : []));
  return {
    batchId,
    number,
    round,
    bucket,
    emails: all,
    offsets: offsets ?? all.map((_, offset) => offset),
    repeats: new Map(pairs),
  };
}
