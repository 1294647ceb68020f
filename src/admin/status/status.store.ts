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

/** Who was refused most today, for want of credits (402) or for its rate (429). */
export interface Refused {
  readonly accountId: string;
  readonly name: string | null;
  readonly status: number;
  readonly refusals: number;
}

const MAX_TABLES = 5;
const MAX_REFUSED = 5;

/** What no room tells. */
@Injectable()
export class StatusStore {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async read(): Promise<{ now: number; database: DatabaseFacts; refusedToday: readonly Refused[] }> {
    const now = this.clock.now();
    const utcDate = new Date(now).toISOString().slice(0, 'YYYY-MM-DD'.length);
    const [database, refusedToday] = await Promise.all([this.databaseFacts(), this.refusedOn(utcDate)]);
    return { now, database, refusedToday };
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
      `SELECT account_id AS "accountId", name, status, sum(refusals)::bigint AS refusals
         FROM usage_refusals LEFT JOIN accounts ON accounts.id = account_id
        WHERE utc_date = $1 GROUP BY account_id, name, status ORDER BY refusals DESC LIMIT ${MAX_REFUSED}`,
      [utcDate],
    );
  }

  async nameOf(accountId: string): Promise<string | null> {
    const rows: { name: string | null }[] = await this.database.query('SELECT name FROM accounts WHERE id = $1', [
      accountId,
    ]);
    return rows[0]?.name ?? null;
  }
}
