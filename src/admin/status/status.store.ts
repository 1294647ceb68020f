import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, type WallClock } from '../../platform/clock.js';

export interface DatabaseFacts {
  readonly version: string;
  readonly bytes: number;
  /** Connections that Mailsonde has, of those that PostgreSQL takes. */
  readonly connections: number;
  readonly maxConnections: number;
  readonly largest: readonly { readonly table: string; readonly bytes: number }[];
}

/** A key that was refused most today, for want of credits or by a ceiling (402), or for its rate (429). */
export interface Refused {
  readonly accountId: string;
  readonly name: string | null;
  readonly keyId: string;
  /** Of the key; null: it is deleted. */
  readonly lastFour: string | null;
  readonly status: number;
  readonly refusals: number;
}

/** An endpoint with deliveries that are due. */
export interface LateEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly name: string | null;
  readonly due: number;
  readonly oldestDueAt: Date;
  /** Null: its last attempt succeeded, or it has had none. */
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  /** Why the last attempt that it had got no 2xx: a status, or a word such as `timeout`. */
  readonly lastFailure: string | null;
}

/** A batch that workers have begun. */
export interface BegunBatch {
  readonly id: number;
  readonly name: string | null;
  readonly total: number;
  readonly done: number;
}

/** Answers of the real world on a day of UTC. */
export interface DayFigures {
  readonly utcDate: string;
  readonly answers: number;
  readonly unknown: number;
  readonly credits: number;
  /** Of the unknown answers, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly answers: number }[];
}

/** What no room tells. */
export interface StatusFacts {
  readonly now: number;
  readonly database: DatabaseFacts;
  readonly refusedToday: readonly Refused[];
  readonly lateEndpoints: readonly LateEndpoint[];
  /** The oldest that are worked on. */
  readonly begun: readonly BegunBatch[];
  /** Yesterday and today. */
  readonly days: readonly [DayFigures, DayFigures];
}

const MAX_TABLES = 5;
const MAX_REFUSED = 5;
const MAX_ENDPOINTS = 3;
const MAX_REASONS = 3;
const MAX_BEGUN = 3;
const DAY_MS = 86_400_000;

/** Reads what no room tells. */
@Injectable()
export class StatusStore {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async read(): Promise<StatusFacts> {
    const now = this.clock.now();
    const utcDate = dateOf(now);
    const [database, refusedToday, lateEndpoints, begun, yesterday, today] = await Promise.all([
      this.databaseFacts(),
      this.refusedOn(utcDate),
      this.lateEndpoints(new Date(now)),
      this.begun(),
      this.figuresOf(dateOf(now - DAY_MS)),
      this.figuresOf(utcDate),
    ]);
    return { now, database, refusedToday, lateEndpoints, begun, days: [yesterday, today] };
  }

  private async databaseFacts(): Promise<DatabaseFacts> {
    const [facts] = await this.database.query<[DatabaseFacts]>(
      `SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
              (SELECT count(*)::integer FROM pg_stat_activity
                WHERE datname = current_database() AND application_name LIKE 'mailsonde%') AS connections,
              current_setting('max_connections')::integer AS "maxConnections",
              (SELECT json_agg(largest) FROM (
                 SELECT relname AS table, pg_total_relation_size(oid) AS bytes FROM pg_class
                  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC LIMIT ${MAX_TABLES}) AS largest) AS largest`,
    );
    return facts;
  }

  private refusedOn(utcDate: string): Promise<Refused[]> {
    return this.database.query(
      `SELECT refused.account_id AS "accountId", accounts.name, key_id AS "keyId", last_four AS "lastFour", status, refusals
         FROM usage_refusals AS refused LEFT JOIN accounts ON accounts.id = refused.account_id
         LEFT JOIN api_keys ON api_keys.id = key_id
        WHERE utc_date = $1 ORDER BY refusals DESC LIMIT ${MAX_REFUSED}`,
      [utcDate],
    );
  }

  /** Those that wait longest first; who is disabled or paused is not late. */
  private lateEndpoints(now: Date): Promise<LateEndpoint[]> {
    return this.database.query(
      `SELECT endpoint.id, endpoint.account_id AS "accountId", accounts.name, count(*)::integer AS due,
              min(delivery.due_at) AS "oldestDueAt", failing_since AS "failingSince", last_success_at AS "lastSuccessAt",
              (SELECT coalesce(error, status::text) FROM webhook_attempts JOIN webhook_deliveries AS tried ON tried.id = delivery_id
                WHERE tried.endpoint_id = endpoint.id AND tried.created_at >= endpoint.failing_since - interval '1 day'
                ORDER BY at DESC LIMIT 1) AS "lastFailure"
         FROM webhook_deliveries AS delivery JOIN webhook_endpoints AS endpoint ON endpoint.id = endpoint_id
         LEFT JOIN accounts ON accounts.id = endpoint.account_id
        WHERE delivery.state = 'pending' AND delivery.due_at <= $1 AND enabled
          AND (paused_until IS NULL OR paused_until <= $1)
        GROUP BY endpoint.id, accounts.name ORDER BY "oldestDueAt" LIMIT ${MAX_ENDPOINTS}`,
      [now],
    );
  }

  private begun(): Promise<BegunBatch[]> {
    return this.database.query(
      `SELECT batches.id, accounts.name, unique_addresses AS total, valid + invalid + risky + unknown AS done
         FROM batches LEFT JOIN accounts ON accounts.id = account_id
        WHERE finished_at IS NULL AND state = 'processing' ORDER BY batches.id LIMIT ${MAX_BEGUN}`,
    );
  }

  private async figuresOf(utcDate: string): Promise<DayFigures> {
    const [figures]: [Omit<DayFigures, 'utcDate'>] = await this.database.query(
      `SELECT coalesce(sum(items), 0)::bigint AS answers,
              coalesce(sum(items) FILTER (WHERE verdict = 'unknown'), 0)::bigint AS unknown,
              coalesce(sum(credits), 0)::bigint AS credits,
              coalesce((SELECT json_agg(reasons) FROM (
                 SELECT reason, sum(items)::bigint AS answers FROM usage_days
                  WHERE utc_date = $1 AND NOT simulated AND verdict = 'unknown'
                  GROUP BY reason ORDER BY 2 DESC, 1 LIMIT ${MAX_REASONS}) AS reasons), '[]') AS reasons
         FROM usage_days WHERE utc_date = $1 AND NOT simulated`,
      [utcDate],
    );
    return { utcDate, ...figures };
  }

  async nameOf(accountId: string): Promise<string | null> {
    const rows: { name: string | null }[] = await this.database.query('SELECT name FROM accounts WHERE id = $1', [
      accountId,
    ]);
    return rows[0]?.name ?? null;
  }
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
