import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';

/** The time that a read waits for a replica that has not yet all that the primary has. */
const WAIT_MS = 250;
const LOOK_EVERY_MS = 10;
/** A replica that has said nothing for so long is away. */
const ANSWER_WITHIN_MS = 1_000;
/** The time after which a replica that was of no use is looked at again, beside the reads, which go to the primary. */
const REST_MS = 1_000;

/**
 * What the primary has committed, as a place in its log. Commits that do not wait for the disk (`synchronous_commit = off`) stand further on
 * than what is on it; single ones that do not wait where others do, reservations of credits, are seen a moment later.
 */
const MARK = `SELECT (SELECT system_identifier FROM pg_control_system())::text AS system,
  (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END)::text AS place`;

/** Asked on the very connection that reads: behind a balancer each may lead to another replica. */
const HAS = `SELECT pg_is_in_recovery() AND (SELECT system_identifier FROM pg_control_system())::text = $2 AS "isReplica",
  pg_last_wal_replay_lsn() >= $1::pg_lsn AS "hasAll"`;

const LAG = `SELECT pg_is_in_recovery() AND (SELECT system_identifier FROM pg_control_system())::text = $2 AS "isReplica",
  CASE WHEN pg_last_wal_replay_lsn() >= $1::pg_lsn THEN 0
       ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END::double precision AS seconds`;

type Sickness = 'is no replica of DATABASE_URL' | 'is behind' | 'does not answer';

/** A hot standby of the primary (streaming replication), which is only read from while it has all that the primary has committed. */
export class Replica {
  private readonly logger = new Logger('Replica');
  private opening: Promise<DataSource> | null = null;
  private isWell = false;
  private nextLookAt = 0;
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
    if (performance.now() >= this.nextLookAt) void this.look();
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
    this.nextLookAt = Number.POSITIVE_INFINITY;
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
      for (const end = performance.now() + WAIT_MS; ; await delay(LOOK_EVERY_MS)) {
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
    this.nextLookAt = performance.now() + REST_MS;
    if (this.told !== sickness)
      this.logger.warn(`The replica of DATABASE_READ_URL ${sickness}: the primary is read from.`);
    this.told = sickness;
  }
}

interface Mark {
  readonly system: string;
  readonly place: string;
}

interface Has {
  readonly isReplica: boolean;
  readonly hasAll: boolean;
}

interface Lag {
  readonly isReplica: boolean;
  readonly seconds: number | null;
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
