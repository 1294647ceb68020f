import { statfs } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { FRESH_MS } from '../../sources/watch/source-reports.service.js';
import type { DatabaseFacts, Disk, Infrastructure, SourceFault, SuspectList } from './status-facts.js';

const MAX_TABLES = 5;
const MAX_SOURCE_FAULTS = 10;
const MAX_SUSPECTS = 5;

/** Reads how that fares which the work of all accounts stands on: database, disk, sending addresses of all processes, block lists. */
@Injectable()
export class InfrastructureStore {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async read(): Promise<Infrastructure> {
    const now = new Date(this.clock.now());
    const [database, disk, sourceFaults, suspectLists] = await Promise.all([
      this.databaseFacts(),
      this.disk(),
      this.sourceFaults(now),
      this.suspectLists(now),
    ]);
    return { database, disk, sourceFaults, suspectLists };
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

  /** Null where the files of PostgreSQL are on another machine, or we may not ask where they are. */
  private async disk(): Promise<Disk | null> {
    try {
      const [{ folder, isHere }]: [{ folder: string; isHere: boolean }] = await this.database.query(
        `SELECT current_setting('data_directory') AS folder,
                coalesce(inet_server_addr() <<= ANY ('{127.0.0.0/8,::1/128}'::inet[]), true) AS "isHere"`,
      );
      if (!isHere) return null;
      const { bsize, bavail, blocks } = await statfs(folder);
      return { freeBytes: bsize * bavail, bytes: bsize * blocks };
    } catch {
      return null;
    }
  }

  private sourceFaults(now: Date): Promise<SourceFault[]> {
    return this.database.query(
      // What was seen of a source says nothing once it has left the configuration: live processes tell which they use.
      `WITH used AS (SELECT source FROM source_reports WHERE seen_at > $2)
       SELECT source, kind, "by", told FROM (
         SELECT 1 AS rank, source, 'listed' AS kind, list AS "by", told FROM source_listings
                    WHERE source IN (SELECT source FROM used)
         UNION ALL SELECT 2, source, 'rests', '', reason FROM source_rests
                    WHERE source IN (SELECT source FROM used)
         UNION ALL SELECT 3, source, 'unusable', machine, coalesce(max(fault), '') FROM source_reports
                    WHERE resting_until > $1 AND seen_at > $2 GROUP BY source, machine
         UNION ALL SELECT 4, source, 'check', check_name, told FROM source_checks
                    WHERE state = 'fail' AND check_name <> 'block_lists' AND source IN (SELECT source FROM used)
         UNION ALL SELECT 5, source, condition, changed_by, reason FROM source_conditions
                    WHERE source IN (SELECT source FROM used)) AS faults
        ORDER BY rank, source, "by" LIMIT ${MAX_SOURCE_FAULTS}`,
      [now, new Date(now.getTime() - FRESH_MS)],
    );
  }

  private suspectLists(now: Date): Promise<SuspectList[]> {
    return this.database.query(
      `SELECT list, turned, watched FROM blacklist_suspicions WHERE until > $1 ORDER BY list LIMIT ${MAX_SUSPECTS}`,
      [now],
    );
  }
}
