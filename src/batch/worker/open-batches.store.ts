import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { definePrepared } from '../../platform/database/prepared.js';
import {
  type ChunkRow,
  ISOLATE_AFTER_ATTEMPTS,
  isWorkedIn,
  LEASED_COLUMNS,
  type LeasedChunk,
  toChunk,
} from './leased-chunk.js';
import { type Batch, transition } from '../model/batch.js';
import { BATCH_COLUMNS, type BatchRow, toBatch } from '../model/batch-row.js';
import { SMALL_BATCH } from '../model/batch.store.js';
import { FEW_CHUNKS } from './pick-partitions.js';
import { IS_BY_DOMAIN, type Lease } from './chunk.store.js';

interface LeasedBatch {
  readonly batch: Batch;
  readonly chunk: LeasedChunk;
}

/** Finds the batches that a worker may lease chunks of. */
@Injectable()
export class OpenBatchesStore {
  constructor(private readonly database: DataSource) {}

  /**
   * The next batches to work on: first those of the account that has the fewest leased chunks, and of these first batches with
   * one free chunk, so that a small batch never waits for the end of another account's huge one. Only chunks count that
   * `pickPartitions` would choose: batches that wait for the caps of mail operators hide no other behind them.
   * @param exceptAccounts accounts whose chunks are not wanted now
   * @param lease of this process, which may add to partitions of which few of its chunks are left
   * @param mayRepartition chunks that are to be repartitioned count as well
   * @returns their ids; none when no chunk may be leased
   */
  async nextBatches(
    { now, othersEndedBy = now, workerId, region }: Pick<Lease, 'now' | 'othersEndedBy' | 'workerId' | 'region'>,
    exceptAccounts: readonly string[],
    mayRepartition: boolean,
    limit: number,
  ): Promise<number[]> {
    const { manager } = this.database;
    const rows = await nextBatches(
      manager,
      now,
      exceptAccounts,
      mayRepartition,
      limit,
      workerId,
      region,
      othersEndedBy,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Leases small batches and starts them: the oldest of each account, then the second of each, and so on. Batches that another
   * transaction has locked are left out, so this waits for nobody.
   * @param exceptAccounts accounts whose batches are not wanted now
   */
  async leaseSmall(lease: Lease, exceptAccounts: readonly string[], limit: number): Promise<LeasedBatch[]> {
    const { owner, workerId, region, now, expiresAt } = lease;
    const { manager } = this.database;
    const rows = await leaseSmallBatches(manager, now, exceptAccounts, limit, owner, workerId, expiresAt, region);
    return rows.map((row) => ({ batch: toBatch(row), chunk: toChunk(row) }));
  }

  /** Those of these batches that still run, and in the region: not cancelled, failed, deleted or moved. */
  async running(ids: readonly number[], region: string | null): Promise<Set<number>> {
    const rows: { id: number }[] = await this.database.query(
      `SELECT id FROM batches WHERE id = ANY ($1) AND finished_at IS NULL AND ${isWorkedIn('$2')}`,
      [ids, region],
    );
    return new Set(rows.map(({ id }) => id));
  }
}

const nextBatches = definePrepared<{ readonly id: number }>(
  'nextBatches',
  `WITH partitions AS (
     SELECT batch_id, bool_or(${IS_BY_DOMAIN}) AS by_domain,
            count(*) FILTER (WHERE due_at <= $1 AND (lease_expires_at IS NULL OR lease_expires_at <= $7)
                               AND attempts < ${ISOLATE_AFTER_ATTEMPTS} AND ($3 OR NOT (${IS_BY_DOMAIN}))) AS free,
            count(*) FILTER (WHERE lease_expires_at > $7 AND lease_owner IS NOT NULL) AS leased,
            count(*) FILTER (WHERE lease_expires_at > $7 AND lease_owner IS NOT NULL AND worker_id = $5) AS mine
       FROM batch_chunks
      WHERE NOT done AND batch_id IN (SELECT id FROM batches WHERE finished_at IS NULL AND state IN ('queued', 'processing'))
      GROUP BY batch_id, partition
   ), open AS (
     SELECT batch_id, sum(leased) AS leased,
            sum(free) FILTER (WHERE by_domain OR leased = 0 OR (leased = mine AND leased <= ${FEW_CHUNKS})) AS free
       FROM partitions GROUP BY batch_id
   ), turns AS (
     SELECT id, account_id, created_at, free, leased, sum(leased) OVER (PARTITION BY account_id) AS leased_of_account
       FROM open JOIN batches ON id = batch_id WHERE ${isWorkedIn('$6')}
   )
   SELECT id FROM turns WHERE free > 0 AND account_id <> ALL ($2::uuid[])
    ORDER BY leased_of_account, leased, free > 1, created_at LIMIT $4`,
);

const leaseSmallBatches = definePrepared<BatchRow & ChunkRow>(
  'leaseSmallBatches',
  `WITH turns AS (
     SELECT id, row_number() OVER (PARTITION BY account_id ORDER BY created_at) AS turn
       FROM batches
      WHERE finished_at IS NULL AND state = 'queued' AND started_at IS NULL AND open_chunks = 1
        AND unique_addresses <= ${SMALL_BATCH} AND account_id <> ALL ($2::uuid[])
        AND ${isWorkedIn('$7')}
   ), picked AS MATERIALIZED (
     SELECT batches.id FROM batches JOIN turns USING (id)
      WHERE state = 'queued' ORDER BY turn, created_at LIMIT $3 FOR NO KEY UPDATE OF batches SKIP LOCKED
   ), due AS MATERIALIZED (
     SELECT batch_id, number FROM batch_chunks
      WHERE batch_id IN (SELECT id FROM picked) AND NOT done AND attempts = 0 AND lease_expires_at IS NULL AND due_at <= $1
        FOR UPDATE SKIP LOCKED
   ), leased AS (
     UPDATE batch_chunks AS chunk SET lease_owner = $4, worker_id = $5, lease_expires_at = $6, attempts = 1
       FROM due WHERE chunk.batch_id = due.batch_id AND chunk.number = due.number
     RETURNING ${LEASED_COLUMNS.split(', ')
       .map((column) => `chunk.${column}`)
       .join(', ')}
   ), started AS (
     UPDATE batches SET state = '${transition('queued', 'start')}', started_at = $1
      WHERE id IN (SELECT batch_id FROM leased) RETURNING ${BATCH_COLUMNS}
   )
   SELECT started.*, leased.* FROM started JOIN leased ON batch_id = id ORDER BY "createdAt"`,
);
