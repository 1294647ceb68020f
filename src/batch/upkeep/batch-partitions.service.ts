import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { KEY_POLICIES, type KeyPolicies } from '../../platform/config/policies.js';
import { dateOf, dayOf, firstIdOf } from '../model/batch-row.js';

/** The ids of batches whose rows, chunks and results one partition of each table holds. */
interface BatchPartition {
  /** The first day, as `YYYYMMDD`. */
  readonly name: string;
  readonly firstId: number;
  /** The first id of the next one. */
  readonly endId: number;
}

const TABLES = ['batch_results', 'batch_rows', 'batch_chunks'] as const;

/**
 * The time that the making or the dropping of a partition waits for a lock. Whoever works on batches waits behind it, so it gives up and
 * comes again.
 */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '100ms'";
const ONE_AT_A_TIME = `SELECT pg_try_advisory_xact_lock(hashtextextended('partitions of batches', 0)) AS got`;
const LOCK_NOT_AVAILABLE = '55P03';
/** Another partition, or rows in the default partition, have ids of this range. */
const IS_TAKEN = new Set(['42P17', '42P07', '23514']);

/** Partitions are made so long ahead: the time in which nobody may notice that no worker makes them. */
const DAYS_AHEAD = 7;
/** Partitions that one transaction drops: each has some thirty locks. */
const DROPPED_TOGETHER = 10;
/** Where batches are kept longer than so many days, a partition holds several of them: each costs every plan a little. */
const MAX_DAYS_OF_ONE = 60;

/**
 * What is stored of a batch goes into the partition of the day on which the batch was made. Retention then drops whole days instead of
 * deleting row by row.
 *
 * A day's partition is *ahead*, *in use*, *ending* or *empty*. It is ending when it is over and no batch of it is kept for more than a day
 * longer: what is deleted of it then leaves its rows to the end of the partition. It is empty when no batch of it is left, and is dropped.
 * Batches of other partitions are deleted with their rows.
 *
 * The default partition takes what has no other. A day whose first rows are in it gets no partition.
 */
@Injectable()
export class BatchPartitionsService {
  private readonly daysOfOne: number;

  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(KEY_POLICIES) policies: KeyPolicies,
  ) {
    const longest = Math.max(...Object.values(policies).map(({ retentionDays }) => retentionDays));
    this.daysOfOne = Math.ceil(longest / MAX_DAYS_OF_ONE);
  }

  /** Makes those of today and of the days to come. @returns how many */
  async makeAhead(): Promise<number> {
    const there = await this.list();
    const today = dayOf(this.clock.now());
    let made = 0;
    for (let day = today - (today % this.daysOfOne); day <= today + DAYS_AHEAD; day += this.daysOfOne) {
      const wanted = { name: dateOf(day), firstId: firstIdOf(day), endId: firstIdOf(day + this.daysOfOne) };
      const isThere = there.some(({ firstId, endId }) => firstId < wanted.endId && wanted.firstId < endId);
      if (!isThere && (await this.make(wanted))) made++;
    }
    return made;
  }

  /** Partitions whose deleted batches leave their rows to them. */
  async ending(): Promise<BatchPartition[]> {
    const isKept = '(expires_at IS NULL OR expires_at > $3)';
    return this.without(isKept, await this.over(), [new Date(this.clock.now() + DAY_MS)]);
  }

  /** Drops partitions without batches; empties them while somebody works with the tables all the time. @returns how many were dropped */
  async dropEmpty(): Promise<number> {
    let dropped = 0;
    let mayDrop = true;
    const empty = await this.without('true', await this.over(), []);
    for (let i = 0; i < empty.length; i += DROPPED_TOGETHER) {
      const some = empty.slice(i, i + DROPPED_TOGETHER);
      mayDrop = mayDrop && (await this.remove('DROP TABLE', some));
      if (mayDrop) dropped += some.length;
      // This waits for nobody who works with other partitions.
      else await this.remove('TRUNCATE', some);
    }
    return dropped;
  }

  /** Partitions in which no batch is made any more: an upload may begin before midnight, and clocks differ. */
  private async over(): Promise<BatchPartition[]> {
    const yesterday = firstIdOf(dayOf(this.clock.now()) - 1);
    return (await this.list()).filter(({ endId }) => endId <= yesterday);
  }

  /** All but the default ones, the oldest first. */
  private async list(): Promise<BatchPartition[]> {
    const rows: { name: string; bounds: string }[] = await this.database.query(
      `SELECT right(relname, 8) AS name, pg_get_expr(relpartbound, oid) AS bounds
         FROM pg_class JOIN pg_inherits ON inhrelid = oid
        WHERE inhparent = 'batch_chunks'::regclass AND pg_get_expr(relpartbound, oid) <> 'DEFAULT' ORDER BY relname`,
    );
    return rows.map(({ name, bounds }) => {
      const [firstId, endId] = [...bounds.matchAll(/\d+/g)].map(Number);
      return { name, firstId: firstId!, endId: endId! };
    });
  }

  /** @returns false when it has to be made at another time, or cannot be made because its ids have a place already */
  private async make({ name, firstId, endId }: BatchPartition): Promise<boolean> {
    // Asked first: PostgreSQL would write an error into its log each time.
    if (await this.hasBegun(firstId, endId)) return false;
    return this.alone(async (tx) => {
      for (const table of TABLES) {
        // Made apart and then attached, it locks nobody out who works on batches.
        await tx.query(`CREATE TABLE ${table}_${name} (LIKE ${table} INCLUDING ALL)`);
        await tx.query(
          `ALTER TABLE ${table} ATTACH PARTITION ${table}_${name} FOR VALUES FROM (${firstId}) TO (${endId})`,
        );
      }
    });
  }

  /** Deletes the rows of batches that were deleted a day ago, and whose partition is still there. @returns how many */
  async deleteRemains(limit: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const old: { batch_id: number }[] = await tx.query(
        `SELECT batch_id FROM batch_remains WHERE deleted_at < now() - interval '1 day' LIMIT $1 FOR UPDATE SKIP LOCKED`,
        [limit],
      );
      const ids = old.map((row) => row.batch_id);
      await tx.query('SELECT delete_parts_of($1)', [ids]);
      await tx.query('DELETE FROM batch_remains WHERE batch_id = ANY ($1)', [ids]);
      return old.length;
    });
  }

  /** Rows in the default partition have ids of this range. */
  private async hasBegun(firstId: number, endId: number): Promise<boolean> {
    const inDefault = TABLES.map(
      (table) => `EXISTS (SELECT FROM ${table}_default WHERE batch_id >= $1 AND batch_id < $2)`,
    );
    const [found]: [{ begun: boolean }] = await this.database.query(`SELECT ${inDefault.join(' OR ')} AS begun`, [
      firstId,
      endId,
    ]);
    return found.begun;
  }

  /** @returns false when somebody works with the tables, and it has to be tried again */
  private remove(command: 'DROP TABLE' | 'TRUNCATE', partitions: readonly BatchPartition[]): Promise<boolean> {
    const tables = partitions.flatMap(({ name }) => TABLES.map((table) => `${table}_${name}`));
    return this.alone(async (tx) => {
      await tx.query(`${command} ${tables.join(', ')}`);
      await tx.query(
        `DELETE FROM batch_remains USING unnest($1::bigint[], $2::bigint[]) AS part (first_id, end_id)
          WHERE batch_id >= first_id AND batch_id < end_id`,
        [partitions.map(({ firstId }) => firstId), partitions.map(({ endId }) => endId)],
      );
    });
  }

  /** Those of the partitions in which no batch fulfils the condition. */
  private async without(
    condition: string,
    partitions: readonly BatchPartition[],
    values: readonly unknown[],
  ): Promise<BatchPartition[]> {
    const rows: { first_id: number }[] = await this.database.query(
      `SELECT first_id FROM unnest($1::bigint[], $2::bigint[]) AS part (first_id, end_id)
        WHERE NOT EXISTS (SELECT FROM batches WHERE id >= first_id AND id < end_id AND ${condition})`,
      [partitions.map(({ firstId }) => firstId), partitions.map(({ endId }) => endId), ...values],
    );
    const firsts = new Set(rows.map((row) => row.first_id));
    return partitions.filter(({ firstId }) => firsts.has(firstId));
  }

  /** Changes partitions unless another process does. @returns whether it was done */
  private async alone(change: (tx: EntityManager) => Promise<void>): Promise<boolean> {
    try {
      return await this.database.transaction(async (tx) => {
        const [lock]: [{ got: boolean }] = await tx.query(ONE_AT_A_TIME);
        if (!lock.got) return false;
        await tx.query(LOCK_TIMEOUT);
        await change(tx);
        return true;
      });
    } catch (error) {
      const code = error instanceof QueryFailedError ? (error.driverError as { code?: string }).code : undefined;
      if (code === LOCK_NOT_AVAILABLE || (code !== undefined && IS_TAKEN.has(code))) return false;
      throw error;
    }
  }
}
