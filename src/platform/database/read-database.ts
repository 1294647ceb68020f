import { Injectable, Logger } from '@nestjs/common';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { isOutage } from '../errors/outage.js';
import { LAG, type Lag, MARK, type Mark } from './replica-probe.js';
import { counter } from '../metrics/metrics.js';
import { Gauges } from '../metrics/gauges.js';
import { setTimeout as delay } from 'node:timers/promises';

/** The time that a read waits for a replica that has not yet all that the primary has. */
const WAIT_MS = 250;
const POLL_MS = 10;
/** A replica that has said nothing for so long is away. */
const ANSWER_WITHIN_MS = 1_000;
/** The time after which a replica that was of no use is looked at again, beside the reads, which go to the primary. */
const REST_MS = 1_000;

/** Asked on the very connection that reads: behind a balancer each may lead to another replica. */
const HAS = `SELECT pg_is_in_recovery() AND (SELECT system_identifier FROM pg_control_system())::text = $2 AS "isReplica",
  pg_last_wal_replay_lsn() >= $1::pg_lsn AS "hasAll"`;

type Sickness = 'is no replica of DATABASE_URL' | 'is behind' | 'does not answer';

/** A hot standby of the primary (streaming replication), which is only read from while it has all that the primary has committed. */
export class Replica {
  private readonly logger = new Logger('Replica');
  private opening: Promise<DataSource> | null = null;
  private isWell = false;
  private nextReadAt = 0;
  private looking: Promise<void> | null = null;
  private told: Sickness | null = null;

  /** @param connect rejects while it does not answer */
  constructor(
    private readonly primary: DataSource,
    private readonly connect: () => Promise<DataSource>,
  ) {}

  /**
   * A connection on which everything is seen that was committed when this was called; the caller releases it. Null: the primary is to be asked.
   * A replica that was of no use keeps no second read waiting.
   */
  async borrow(): Promise<QueryRunner | null> {
    if (this.isWell) return this.attempt();
    if (performance.now() >= this.nextReadAt) void this.look();
    return null;
  }

  /** It failed while it was read from. */
  failed(): void {
    this.rest('does not answer');
  }

  /** How far it is behind; 0 when it has all; null when it is of no use. */
  async lagSeconds(): Promise<number | null> {
    try {
      const [mark] = await this.primary.query<Mark[]>(MARK);
      const database = await this.open();
      const [row] = await within(database.query<Lag[]>(LAG, [mark!.place, mark!.system]));
      return row!.isReplica ? row!.seconds : null;
    } catch {
      return null;
    }
  }

  async close(): Promise<void> {
    this.isWell = false;
    this.nextReadAt = Number.POSITIVE_INFINITY;
    await this.looking;
    const database = await this.opening?.catch(() => null);
    await database?.destroy();
  }

  private look(): Promise<void> {
    this.looking ??= this.attempt()
      .then(async (runner) => {
        await runner?.release();
      })
      .finally(() => (this.looking = null));
    return this.looking;
  }

  private async attempt(): Promise<QueryRunner | null> {
    let runner: QueryRunner | null = null;
    const abandoned = new AbortController();
    const find = async (): Promise<Sickness | null> => {
      const [mark] = await this.primary.query<Mark[]>(MARK);
      const database = await this.open();
      runner = database.createQueryRunner();
      for (const end = performance.now() + WAIT_MS; ; await delay(POLL_MS)) {
        const [has] = (await runner.query(HAS, [mark!.place, mark!.system])) as Has[];
        if (!has!.isReplica) return 'is no replica of DATABASE_URL';
        if (has!.hasAll) return null;
        if (performance.now() >= end || abandoned.signal.aborted) return 'is behind';
      }
    };
    const finding = find();
    try {
      const sickness = await within(finding);
      if (sickness === null) {
        this.well();
        return runner;
      }
      this.rest(sickness);
    } catch {
      this.rest('does not answer');
    }
    abandoned.abort();
    // What answers too late gives its connection back then.
    void finding.catch(() => null).then(() => runner?.release().catch(() => undefined));
    return null;
  }

  private open(): Promise<DataSource> {
    this.opening ??= this.connect().catch((error: unknown) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  private well(): void {
    this.isWell = true;
    if (this.told !== null) this.logger.log('The replica of DATABASE_READ_URL is read from again.');
    this.told = null;
  }

  private rest(sickness: Sickness): void {
    this.isWell = false;
    this.nextReadAt = performance.now() + REST_MS;
    if (this.told !== sickness)
      this.logger.warn(`The replica of DATABASE_READ_URL ${sickness}: the primary is read from.`);
    this.told = sickness;
  }
}

interface Has {
  readonly isReplica: boolean;
  readonly hasAll: boolean;
}

/** Rejects when it takes longer than a replica may be silent. */
async function within<T>(work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const late = delay(ANSWER_WITHIN_MS, null, { signal: ended.signal }).then(() => {
    throw new Error('late');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
    void late.catch(() => undefined);
  }
}

const reads = counter(
  'mailsonde_replica_reads_total',
  'Reads that may be answered by the replica of DATABASE_READ_URL, by who has answered.',
  ['from'],
);

/** A statement that the replica ended because what it reads is being replayed (serialization_failure). */
const CONFLICT = '40001';

/** The one place that chooses who is read from, where nothing is written: results, listings, ledgers, usage, summaries. */
@Injectable()
export class ReadDatabase {
  /** @param replica null: none is configured */
  constructor(
    private readonly primary: DataSource,
    private readonly replica: Replica | null,
  ) {}

  /**
   * Reads at the replica if it has all that was committed before this call, else at the primary: whoever has just written, through whatever
   * process, reads it. `work` only reads, and is done again at the primary when the replica fails.
   */
  async read<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    if (this.replica === null) return work(this.primary.manager);
    const runner = await this.replica.borrow();
    if (runner !== null) {
      try {
        const result = await work(runner.manager);
        reads.inc({ from: 'replica' });
        return result;
      } catch (error) {
        const isAway = isOutage(error);
        if (isAway) this.replica.failed();
        else if ((error as { readonly code?: unknown }).code !== CONFLICT) throw error;
      } finally {
        await runner.release().catch(() => undefined);
      }
    }
    reads.inc({ from: 'primary' });
    return work(this.primary.manager);
  }

  /** As `read`, one statement. */
  query<T extends object[]>(sql: string, values: readonly unknown[] = []): Promise<T> {
    return this.read((tx) => tx.query<T>(sql, [...values]));
  }

  /** How far the replica is behind; null when it is of no use, undefined when there is none. */
  async lagSeconds(): Promise<number | null | undefined> {
    return this.replica === null ? undefined : this.replica.lagSeconds();
  }

  async close(): Promise<void> {
    await this.replica?.close();
  }
}

/** A replica further behind is as good as none: reads do not wait for it. */
const MAX_LAG_SECONDS = 2;

/** What a process tells of its replica; nothing where it has none. */
@Injectable()
export class ReplicaGauges {
  constructor(gauges: Gauges, reads: ReadDatabase) {
    gauges.addShared({
      name: 'mailsonde_replica_up',
      help: '1: the replica of DATABASE_READ_URL answers and is at most 2 s behind; missing where none is configured.',
      read: async () => {
        const lag = await reads.lagSeconds();
        if (lag === undefined) return null;
        return lag !== null && lag <= MAX_LAG_SECONDS ? 1 : 0;
      },
    });
    gauges.addShared({
      name: 'mailsonde_replica_lag_seconds',
      help: 'How far the replica is behind the primary; missing while it does not answer, or is no replica.',
      read: async () => (await reads.lagSeconds()) ?? null,
    });
  }
}
