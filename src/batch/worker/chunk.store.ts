import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { definePrepared } from '../../platform/database/prepared.js';
import type { RetryPass } from '../model/retry-window.js';
import {
  type ChunkResults,
  type ChunkRow,
  ISOLATE_AFTER_ATTEMPTS,
  isWorkedIn,
  LEASED_COLUMNS,
  type LeasedChunk,
  MAX_ATTEMPTS,
  MAX_REPARTITION_ATTEMPTS,
  toChunk,
  writeSources,
} from './leased-chunk.js';
import type { Choice, Partition } from './pick-partitions.js';
import { LIVING_WORKERS, PRESENCE_LOCKS } from './worker-presence.service.js';

export interface Lease {
  /** A random id of this acquisition: only a caller that knows it can renew and release the chunks. */
  readonly owner: string;
  /**
   * The number that the process locks as long as it lives. Null while it has no lock: then other workers wait for the end of the
   * lease.
   */
  readonly workerId: number | null;
  /** Whose accounts it works for, beside those without one; null: only for those. */
  readonly region: string | null;
  /** Chunks are due by then. */
  readonly now: Date;
  /** Leases of others are over that ended by then; `now` is the default. It lags behind after an outage (`held-lease`). */
  readonly othersEndedBy?: Date;
  /** Another worker may take the chunks from then on. */
  readonly expiresAt: Date;
}

/** A unit whose pace the caps of a mail operator set. */
interface Wait {
  readonly batchId: number;
  readonly partitions: readonly number[];
  readonly leaseOwner: string;
  /** Items of the unit without a result. */
  readonly items: number;
  readonly itemsPerSecond: number;
}

/** The outcome of one pass over a chunk, as far as it is stored. */
interface FinishedPass extends Pick<ChunkResults, 'results' | 'retryPass'> {
  readonly chunk: Pick<LeasedChunk, 'number' | 'pass'>;
}

/** The chunks of work and their leases. PostgreSQL is the truth; Redis repeats nothing of it. */
@Injectable()
export class ChunkStore {
  constructor(private readonly database: DataSource) {}

  /**
   * Leases up to `limit` due chunks of these partitions, partition by partition, so that neighbouring chunks have domains in
   * common.
   */
  async leaseChunks(batchId: number, { partitions, limit }: Choice, lease: Lease): Promise<LeasedChunk[]> {
    const { owner, now, othersEndedBy = now, expiresAt, workerId } = lease;
    const { manager } = this.database;
    const rows = await leaseChunks(manager, batchId, limit, owner, now, expiresAt, partitions, workerId, othersEndedBy);
    return rows.map(toChunk).sort((a, b) => a.partition - b.partition || a.number - b.number);
  }

  /** Leases one poisoned chunk of any batch, the one with the fewest attempts. Null when there is none. */
  async leasePoisoned(lease: Lease): Promise<LeasedChunk | null> {
    const [rows]: [ChunkRow[], number] = await this.database.query(
      `UPDATE batch_chunks SET lease_owner = $1, worker_id = $2, lease_expires_at = $4, attempts = attempts + 1
        WHERE (batch_id, number) = (
          SELECT batch_id, number FROM batch_chunks JOIN batches ON id = batch_id AND finished_at IS NULL
           WHERE NOT done AND due_at <= $3 AND (lease_expires_at IS NULL OR lease_expires_at <= $6)
             AND attempts >= ${ISOLATE_AFTER_ATTEMPTS} AND attempts < ${MAX_ATTEMPTS}
             AND ${isWorkedIn('$5')}
           ORDER BY attempts, due_at LIMIT 1 FOR UPDATE OF batch_chunks SKIP LOCKED)
        RETURNING ${LEASED_COLUMNS}`,
      [lease.owner, lease.workerId, lease.now, lease.expiresAt, lease.region, lease.othersEndedBy ?? lease.now],
    );
    return rows.length > 0 ? toChunk(rows[0]!) : null;
  }

  /** Renews a lease while its chunks are worked on. @returns the numbers of the chunks that the owner still has */
  async renewLease(batchId: number, { owner, expiresAt }: Pick<Lease, 'owner' | 'expiresAt'>): Promise<number[]> {
    const [rows]: [{ number: number }[], number] = await this.database.query(
      `UPDATE batch_chunks SET lease_expires_at = $3 WHERE batch_id = $1 AND number = ANY (ARRAY(${LEASED_IN_ORDER}))
       RETURNING number`,
      [batchId, owner, expiresAt],
    );
    return rows.map(({ number }) => number);
  }

  /**
   * Lets others take the chunks that the owner will not finish. The chunks are not the cause, so this attempt does not count.
   * @param notBefore null: others may take them at once
   * @param numbers null: all chunks of the lease
   */
  async releaseChunks(
    batchId: number,
    owner: string,
    notBefore: Date | null,
    numbers: readonly number[] | null = null,
  ): Promise<void> {
    await this.database.query(
      `UPDATE batch_chunks SET lease_owner = NULL, worker_id = NULL, lease_expires_at = $3, attempts = attempts - 1
        WHERE batch_id = $1 AND number = ANY (ARRAY(${LEASED_IN_ORDER})) AND ($4::integer[] IS NULL OR number = ANY ($4))`,
      [batchId, owner, notBefore, numbers],
    );
  }

  /** Records when the unit, and the chunks of its partitions that nobody works on, end at its pace. */
  async recordWait({ batchId, partitions, leaseOwner, items, itemsPerSecond }: Wait, now: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO batch_waits (batch_id, partition, until)
       SELECT $1, $2, $5::timestamptz
              + ($6 + coalesce(sum(coalesce(cardinality(offsets), size)), 0)) / $7::float8 * interval '1 second'
         FROM batch_chunks
        WHERE batch_id = $1 AND partition = ANY ($3::smallint[]) AND NOT done AND lease_owner IS DISTINCT FROM $4
       HAVING EXISTS (SELECT FROM batches WHERE id = $1)
       ON CONFLICT (batch_id, partition) DO UPDATE SET until = excluded.until`,
      [batchId, Math.min(...partitions), partitions, leaseOwner, now, items, itemsPerSecond],
    );
  }

  /** Lets others take the chunks of processes that have died. These attempts count. */
  async releaseChunksOfDeadWorkers(): Promise<void> {
    const dead: { worker_id: number }[] = await this.database.query(
      // For some seconds after PostgreSQL's start, whatever leases last, a living worker may lack its lock: it has not noticed the restart yet.
      `SELECT worker_id FROM batch_chunks
        WHERE NOT done AND worker_id IS NOT NULL AND pg_postmaster_start_time() < now() - interval '10 seconds'
       EXCEPT ${LIVING_WORKERS}`,
      [PRESENCE_LOCKS],
    );
    if (dead.length === 0) return;
    await this.database.query(
      `WITH of_dead AS MATERIALIZED (
         SELECT batch_id, number FROM batch_chunks
          WHERE NOT done AND worker_id = ANY ($1::integer[]) ORDER BY batch_id, number FOR UPDATE)
       UPDATE batch_chunks AS chunk SET lease_owner = NULL, worker_id = NULL, lease_expires_at = NULL
         FROM of_dead WHERE chunk.batch_id = of_dead.batch_id AND chunk.number = of_dead.number`,
      [dead.map((row) => row.worker_id)],
    );
  }

  /** The open partitions of a batch, for the worker that chooses among them. */
  openPartitions(
    batchId: number,
    { now, othersEndedBy = now }: Pick<Lease, 'now' | 'othersEndedBy'>,
  ): Promise<Partition[]> {
    return openPartitions(this.database.manager, batchId, now, othersEndedBy);
  }

  /** Running batches whose only unfinished chunks are exhausted. */
  async exhausted(now: Date): Promise<number[]> {
    const rows: { id: number }[] = await this.database.query(
      `SELECT id FROM batches
        WHERE finished_at IS NULL AND ${IS_EXHAUSTED}
          AND id IN (SELECT batch_id FROM batch_chunks WHERE NOT done AND attempts >= ${ISOLATE_AFTER_ATTEMPTS})`,
      [now],
    );
    return rows.map(({ id }) => id);
  }

  /** Whether this batch, which the transaction has locked, has only exhausted chunks left. */
  async isExhausted(tx: EntityManager, id: number, now: Date): Promise<boolean> {
    const rows: unknown[] = await tx.query(`SELECT FROM batches WHERE id = $2 AND ${IS_EXHAUSTED}`, [now, id]);
    return rows.length > 0;
  }

  /**
   * Stores the results of passes, each once, and closes their chunks or sets the next pass.
   *
   * Two workers may have worked on the same pass. The unique key (batch, chunk, pass) of the results decides which of them counts: only the
   * transaction that inserts the row goes on to change the chunk, and a chunk moves on from a pass in this transaction only. So the
   * statement that changes chunks need not look at the chunk's pass again.
   * @returns the passes that were not stored before: the caller changes nothing else for the others
   */
  async storePasses<Pass extends FinishedPass>(
    tx: EntityManager,
    batchId: number,
    passes: readonly Pass[],
  ): Promise<Pass[]> {
    const stored: Pass[] = [];
    // In one order, so that two workers with the same chunks do not wait for each other in a circle.
    for (const pass of passes.toSorted((a, b) => a.chunk.number - b.chunk.number)) {
      const { chunk, results } = pass;
      const rows = await storeResults(tx, batchId, chunk.number, chunk.pass, results);
      if (rows.length > 0) stored.push(pass);
    }
    if (stored.length === 0) return stored;
    const each = <Value>(valueOf: (retry: RetryPass) => Value) =>
      stored.map(({ retryPass }) => retryPass && valueOf(retryPass));
    await endPasses(
      tx,
      batchId,
      stored.map(({ chunk }) => chunk.number),
      each(({ pass }) => pass),
      each(({ dueAt }) => dueAt),
      each(({ windowEndsAt }) => windowEndsAt),
      each(({ offsets }) => arrayText(offsets)),
      each(({ later }) => arrayText(later)),
      each(({ waiting }) => arrayText(waiting)),
      each(({ sources }) => writeSources(sources)),
    );
    return stored;
  }
}

/** Chunks to repartition: not a retry, and not a chunk that workers tried to repartition too often, which are worked on as they are. */
export const IS_BY_DOMAIN = `partitioned_by = 'domain' AND pass = 0 AND attempts < ${MAX_REPARTITION_ATTEMPTS}`;

/**
 * Chunks that the owner still has, locked by ascending number as a commit locks them: else the two could wait for each other in a circle.
 * Here and below the numbers are put into an array first: PostgreSQL would otherwise, until it has analyzed the chunks of a batch, read all
 * of them again for each. So it is in every statement that changes rows which it has locked: a LIMIT would let through other rows each time.
 */
const LEASED_IN_ORDER = `
  SELECT number FROM batch_chunks WHERE batch_id = $1 AND lease_owner = $2 AND NOT done ORDER BY number FOR UPDATE`;

const leaseChunks = definePrepared<ChunkRow>(
  'leaseChunks',
  `UPDATE batch_chunks SET lease_owner = $3, worker_id = $7, lease_expires_at = $5, attempts = attempts + 1
    WHERE batch_id = $1 AND number = ANY (ARRAY(
      SELECT number FROM batch_chunks
       WHERE batch_id = $1 AND NOT done AND due_at <= $4 AND (lease_expires_at IS NULL OR lease_expires_at <= $8)
         AND attempts < ${ISOLATE_AFTER_ATTEMPTS} AND partition = ANY ($6::smallint[])
       ORDER BY partition, number LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING ${LEASED_COLUMNS}`,
);

const openPartitions = definePrepared<Partition>(
  'openPartitions',
  `SELECT partition AS number,
          (count(*) FILTER (WHERE due_at <= $2 AND (lease_expires_at IS NULL OR lease_expires_at <= $3)
                              AND attempts < ${ISOLATE_AFTER_ATTEMPTS}))::integer AS free,
          (count(*) FILTER (WHERE lease_expires_at > $3))::integer AS leased,
          bool_or(${IS_BY_DOMAIN}) AS "isByDomain"
     FROM batch_chunks WHERE batch_id = $1 AND NOT done GROUP BY partition ORDER BY partition`,
);

const storeResults = definePrepared(
  'storeResults',
  // The lock is what a foreign key would take: nobody deletes or ends the batch until the results of the transaction are counted.
  `INSERT INTO batch_results (batch_id, chunk, pass, results)
   SELECT id, $2::integer, $3::smallint, $4::text FROM batches WHERE id = $1 FOR KEY SHARE
   ON CONFLICT DO NOTHING RETURNING pass`,
);

/** The end of a pass over `chunk`: its lease and its attempts end with it. */
export const LEASE_ENDS = 'lease_owner = NULL, worker_id = NULL, lease_expires_at = NULL, attempts = 0';

/** The end of the last pass over `chunk`. */
export const CHUNK_ENDS = `pass = chunk.pass + 1, done = true, offsets = NULL, later_offsets = NULL, waiting_counts = NULL,
  window_ends_at = NULL, retry_sources = NULL, ${LEASE_ENDS}`;

/** Closes chunks, and sets the next pass of those that have one. */
const endPasses = definePrepared(
  'endPasses',
  `UPDATE batch_chunks AS chunk
      SET pass = coalesce(next.pass + chunk.taken_passes, chunk.pass + 1), done = next.pass IS NULL, due_at = coalesce(next.due_at, chunk.due_at),
          window_ends_at = next.window_ends_at, offsets = next.offsets::smallint[], later_offsets = next.later::smallint[],
          waiting_counts = next.waiting::smallint[], retry_sources = next.sources, ${LEASE_ENDS}
     FROM (SELECT next.*
             FROM unnest($2::integer[], $3::smallint[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::text[], $8::text[],
                          $9::text[])
               AS next (number, pass, due_at, window_ends_at, offsets, later, waiting, sources)
             JOIN batch_chunks ON batch_chunks.batch_id = $1 AND batch_chunks.number = next.number
            WHERE batch_chunks.number = ANY ($2)
            ORDER BY batch_chunks.number FOR UPDATE OF batch_chunks) AS next
    WHERE chunk.batch_id = $1 AND chunk.number = next.number AND chunk.number = ANY ($2)`,
);

/** An array for a column of arrays of it: PostgreSQL's arrays of arrays have parts of one length. */
function arrayText(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`;
}

const IS_EXHAUSTED = `NOT EXISTS (
  SELECT FROM batch_chunks
   WHERE batch_id = batches.id AND NOT done AND (attempts < ${MAX_ATTEMPTS} OR lease_expires_at > $1))`;
