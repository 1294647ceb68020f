import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { FRESH_MS } from '../../sources/source-reports.service.js';

/** What is wrong with a sending address of ours, or who has taken it out. */
export interface SourceFault {
  readonly source: string;
  /** `unusable`: its address or its proxy is not to be had; `rests`: since a block list has it; the last two are an administrator's. */
  readonly kind: 'check' | 'listed' | 'unusable' | 'rests' | 'drained' | 'paused';
  /** Of a check or a block list its name, of an unusable one the machine, else nobody or who has done it. */
  readonly by: string;
  readonly told: string;
}

/** Monitors that are due and that nobody runs. */
export interface DueMonitors {
  readonly due: number;
  /** The one that waits longest, and whose it is. */
  readonly id: number;
  readonly accountId: string;
  readonly name: string | null;
  readonly since: Date;
}

/** A block list that so many watched targets turned listed on at once that it is not believed. */
export interface SuspectList {
  readonly list: string;
  readonly turned: number;
  readonly watched: number;
}

export interface Faults {
  readonly sources: readonly SourceFault[];
  /** Null: none is due. */
  readonly monitors: DueMonitors | null;
  readonly suspects: readonly SuspectList[];
}

const MAX_SOURCE_FAULTS = 10;
const MAX_SUSPECTS = 5;

/** Reads what is wrong with our sources, the monitors and the block lists, of all processes and whatever files this machine has. */
@Injectable()
export class FaultsStore {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async read(): Promise<Faults> {
    const now = new Date(this.clock.now());
    const [sources, monitors, suspects] = await Promise.all([
      this.sources(now),
      this.monitors(now),
      this.suspects(now),
    ]);
    return { sources, monitors, suspects };
  }

  private sources(now: Date): Promise<SourceFault[]> {
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

  private async monitors(now: Date): Promise<DueMonitors | null> {
    const rows: DueMonitors[] = await this.database.query(
      `SELECT count(*) OVER ()::integer AS due, monitors.id, account_id AS "accountId", accounts.name, next_run_at AS since
         FROM monitors LEFT JOIN accounts ON accounts.id = account_id
        WHERE paused IS NULL AND NOT simulated AND next_run_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
        ORDER BY next_run_at, monitors.id LIMIT 1`,
      [now],
    );
    return rows[0] ?? null;
  }

  private suspects(now: Date): Promise<SuspectList[]> {
    return this.database.query(
      `SELECT list, turned, watched FROM blacklist_suspicions WHERE until > $1 ORDER BY list LIMIT ${MAX_SUSPECTS}`,
      [now],
    );
  }
}
