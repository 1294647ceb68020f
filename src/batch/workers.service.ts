import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { snakeCase } from '../lib/snake-case.js';
import { Gauges, secondsSince } from '../platform/metrics/gauges.js';
import { LIVING_WORKERS, PRESENCE_LOCKS } from './worker/worker-presence.service.js';

/** A process that works on batches and is alive, with what it has leased. */
export interface Worker {
  /** The number that it locks as long as it lives. */
  readonly id: number;
  readonly since: Date;
  /** Whose accounts it works for, beside those without one; null: only for those. */
  readonly region: string | null;
  readonly batches: number;
  readonly chunks: number;
  readonly items: number;
  /** When the first of its leases ends unless it is renewed; null: it has none. */
  readonly leaseEndsAt: Date | null;
}

/** How much work of batches there is. */
export interface BatchQueue {
  readonly batchesQueued: number;
  readonly batchesProcessing: number;
  /** Chunks that a worker may take now, that one has, and that are tried again later. */
  readonly chunksDue: number;
  readonly chunksLeased: number;
  readonly chunksLater: number;
}

/** A region that batches wait for, while no worker of it is alive. */
export interface RegionWithoutWorker {
  readonly region: string;
  readonly batches: number;
  readonly oldestBatchId: number;
}

/** A batch that nobody works on although some of it is due. */
export interface WaitingBatch {
  readonly id: number;
  readonly accountId: string;
  /** Since when the first of its chunks is due. */
  readonly since: Date;
}

const HELD_BY_WORKERS = `held.locktype = 'advisory' AND held.classid = $1 AND held.objsubid = 2 AND held.granted
          AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const MAX_REGIONS = 1_000;

/** Shows administrators who works on batches, and what waits. It reads PostgreSQL alone, where leases and presence stand. */
@Injectable()
export class WorkersService {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** The oldest first. */
  list(): Promise<Worker[]> {
    return this.database.query(
      `SELECT held.objid::bigint::integer AS id, process.backend_start AS since, told.region, leased.batches, leased.chunks, leased.items,
              leased.ends_at AS "leaseEndsAt"
         FROM pg_locks AS held JOIN pg_stat_activity AS process ON process.pid = held.pid
        LEFT JOIN batch_workers AS told ON told.worker_id = held.objid::bigint::integer
        CROSS JOIN LATERAL (
          SELECT count(DISTINCT batch_id)::integer AS batches, count(*)::integer AS chunks,
                 coalesce(sum(coalesce(cardinality(offsets), size)), 0)::integer AS items, min(lease_expires_at) AS ends_at
            FROM batch_chunks WHERE NOT done AND worker_id = held.objid::bigint::integer) AS leased
        WHERE ${HELD_BY_WORKERS}
        ORDER BY since, id`,
      [PRESENCE_LOCKS],
    );
  }

  /** Of the workers that are alive. */
  async regions(): Promise<string[]> {
    const rows: { region: string }[] = await this.database.query(
      `SELECT DISTINCT region FROM batch_workers WHERE region IS NOT NULL AND worker_id IN (${LIVING_WORKERS}) ORDER BY region`,
      [PRESENCE_LOCKS],
    );
    return rows.map(({ region }) => region);
  }

  /** Regions whose batches nobody works on, by name; each has as many as wait. */
  regionsWithoutWorker(): Promise<RegionWithoutWorker[]> {
    return this.database.query(
      `SELECT region, count(*)::integer AS batches, min(batches.id) AS "oldestBatchId"
         FROM batches JOIN accounts ON accounts.id = account_id
        WHERE finished_at IS NULL AND state IN ('queued', 'processing') AND NOT simulated AND region IS NOT NULL
          AND NOT EXISTS (SELECT FROM batch_workers AS worker
                           WHERE worker.region = accounts.region AND worker_id IN (${LIVING_WORKERS}))
        GROUP BY region ORDER BY region LIMIT ${MAX_REGIONS}`,
      [PRESENCE_LOCKS],
    );
  }

  async count(): Promise<number> {
    const [row]: { workers: number }[] = await this.database.query(
      `SELECT count(*)::integer AS workers FROM pg_locks AS held WHERE ${HELD_BY_WORKERS}`,
      [PRESENCE_LOCKS],
    );
    return row!.workers;
  }

  /** The batch that has waited longest for a worker; null: none waits. */
  async oldestWaiting(): Promise<WaitingBatch | null> {
    const rows: WaitingBatch[] = await this.database.query(
      `SELECT id, account_id AS "accountId", since
         FROM batches CROSS JOIN LATERAL (
           SELECT min(due_at) FILTER (WHERE due_at <= $1 AND (lease_expires_at IS NULL OR lease_expires_at <= $1)) AS since,
                  bool_or(lease_owner IS NOT NULL AND lease_expires_at > $1) AS is_worked
             FROM batch_chunks WHERE batch_id = batches.id AND NOT done) AS open
        WHERE finished_at IS NULL AND state IN ('queued', 'processing') AND since IS NOT NULL AND NOT is_worked
        ORDER BY since LIMIT 1`,
      [this.clock.date()],
    );
    return rows[0] ?? null;
  }

  async queue(): Promise<BatchQueue> {
    const rows: BatchQueue[] = await this.database.query(
      `SELECT (SELECT count(*)::integer FROM batches WHERE finished_at IS NULL AND state = 'queued') AS "batchesQueued",
              (SELECT count(*)::integer FROM batches WHERE finished_at IS NULL AND state = 'processing') AS "batchesProcessing",
              count(*) FILTER (WHERE due_at <= $1 AND (lease_expires_at IS NULL OR lease_expires_at <= $1))::integer AS "chunksDue",
              count(*) FILTER (WHERE lease_expires_at > $1)::integer AS "chunksLeased",
              count(*) FILTER (WHERE due_at > $1 AND (lease_expires_at IS NULL OR lease_expires_at <= $1))::integer AS "chunksLater"
         FROM batch_chunks JOIN batches ON id = batch_id AND state IN ('queued', 'processing') WHERE NOT done`,
      [this.clock.date()],
    );
    return rows[0]!;
  }
}

/** What waits of batches, told by every process: when no worker is left, the others still say so. */
@Injectable()
export class BatchGauges {
  constructor(gauges: Gauges, workers: WorkersService, @Inject(CLOCK) clock: WallClock) {
    gauges.addShared({
      name: 'mailsonde_batch_oldest_waiting_seconds',
      help: 'How long the batch that has waited longest has had work that is due, while no worker has any of it; 0: none waits.',
      read: async () => secondsSince((await workers.oldestWaiting())?.since ?? null, clock.now()),
    });
    gauges.addShared({
      name: 'mailsonde_batch_queue',
      help: 'Batches that wait or are worked on, and their chunks that are due, leased by a worker, or tried again later.',
      labels: ['what'],
      read: async () => {
        const queue = Object.entries({ ...(await workers.queue()) });
        return queue.map(([what, count]) => [count, snakeCase(what)]);
      },
    });
    gauges.addShared({
      name: 'mailsonde_batch_region_unworked',
      help: 'Batches that wait for a worker of their region while none of it is alive.',
      labels: ['region'],
      read: async () => (await workers.regionsWithoutWorker()).map(({ region, batches }) => [batches, region]),
    });
    gauges.addShared({
      name: 'mailsonde_workers',
      help: 'Processes that work on batches and are alive.',
      read: () => workers.count(),
    });
  }
}
