import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { REPORT_SETTINGS, type ReportTable } from './report-settings.js';

/** What becomes of a report that could be read. */
export type Keeping =
  | 'kept'
  /** It came before: it counts once. */
  | 'duplicate'
  /** It is about a domain that is not the monitor's, or a time that cannot be. */
  | 'other_domain'
  | 'other_time'
  /** The domain has taken its share of today. */
  | 'too_many'
  | 'not_proven';

/** The longest that any plan keeps the history of a monitor, about. */
const OLDEST_MS = 400 * DAY_MS;

/** Whether a report can be about its time. */
export function isTimeOfReport({ begin, end }: { readonly begin: Date; readonly end: Date }, at: Date): boolean {
  const now = at.getTime();
  return begin.getTime() <= now + REPORT_SETTINGS.aheadMs && end.getTime() >= now - OLDEST_MS;
}

/** When a report came, and in whose room it is kept; null: in that of all. */
export interface Arrival {
  readonly at: Date;
  readonly reporter: string | null;
}

/** What is to be kept of a report. */
interface IncomingReport extends Arrival {
  readonly monitorId: number;
  /** The columns by which one that came before is known; null: such reports are only counted. */
  readonly key: Readonly<Record<string, string>> | null;
  /** How many it has. */
  readonly rows: number;
}

/** As its columns are called. */
export interface UnreadableReport {
  /** The same for the same report of a mail that comes again. */
  readonly id: number;
  readonly reason: string;
  /** Of the envelope. */
  readonly sender_domain: string | null;
  /** Who is proven to have sent it. */
  readonly reporter: string | null;
  readonly bytes: number;
  readonly received_at: Date;
}

/** What the reports of a domain have in common, whatever they tell: whose they are, how many it may take, and when they go. */
@Injectable()
export class ReportIntakeStore {
  constructor(private readonly database: DataSource) {}

  /**
   * Keeps a report in one transaction, unless it is kept already, or there is no room for it.
   * @param insert what is to be written; a crash loses none of it, and a repetition changes nothing
   */
  keep(
    table: ReportTable | 'failure_arrivals',
    report: IncomingReport,
    insert: (tx: EntityManager) => Promise<void>,
  ): Promise<Keeping> {
    return this.database.transaction(async (tx) => {
      if (!(await this.lock(tx, report.monitorId))) return 'not_proven';
      if (await this.isKept(tx, table, report)) return 'duplicate';
      if (!(await this.hasRoom(tx, table, report))) return 'too_many';
      await insert(tx);
      return 'kept';
    });
  }

  private async isKept(tx: EntityManager, table: string, { monitorId, key }: IncomingReport): Promise<boolean> {
    if (key === null) return false;
    const isSame = Object.keys(key).map((column, index) => `${column} = $${index + 2}`);
    const rows: unknown[] = await tx.query(`SELECT 1 FROM ${table} WHERE monitor_id = $1 AND ${isSame.join(' AND ')}`, [
      monitorId,
      ...Object.values(key),
    ]);
    return rows.length > 0;
  }

  /** Reports of one domain are kept one after the other, so that each source is new once. False: it is not proven any more. */
  private async lock(tx: EntityManager, monitorId: number): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM report_addresses WHERE monitor_id = $1 AND verified_at IS NOT NULL FOR UPDATE`,
      [monitorId],
    );
    return rows.length > 0;
  }

  /** Whether a domain may take one more report of this kind, with so many rows, on the day that ends now. */
  private async hasRoom(
    tx: EntityManager,
    table: string,
    { monitorId, rows, at, reporter }: IncomingReport,
  ): Promise<boolean> {
    const [taken]: [{ reports: number; rows: number; others: number }] = await tx.query(
      `SELECT count(*) FILTER (WHERE reporter IS NOT DISTINCT FROM $3)::integer AS reports,
              coalesce(sum(row_count) FILTER (WHERE reporter IS NOT DISTINCT FROM $3), 0)::integer AS rows,
              coalesce(sum(row_count) FILTER (WHERE reporter <> ALL ($4)), 0)::integer AS others
         FROM ${table} WHERE monitor_id = $1 AND received_at > $2`,
      [monitorId, new Date(at.getTime() - DAY_MS), reporter, REPORT_SETTINGS.largeReporters],
    );
    const { largeReporters, reportsPerDay, rowsPerDay, reportsPerReporter, rowsPerReporter, rowsOfReporters } =
      REPORT_SETTINGS;
    if (reporter === null) return taken.reports < reportsPerDay && taken.rows + rows <= rowsPerDay;
    const isWithinAll = largeReporters.includes(reporter) || taken.others + rows <= rowsOfReporters;
    return isWithinAll && taken.reports < reportsPerReporter && taken.rows + rows <= rowsPerReporter;
  }

  /** Notes why a mail was no report, and counts it once; in each room the newest are kept. */
  async addUnreadable(monitorId: number, all: readonly UnreadableReport[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (!(await this.lock(tx, monitorId))) return;
      const added: unknown[] = await tx.query(
        `INSERT INTO unreadable_reports (id, monitor_id, reason, sender_domain, reporter, bytes, received_at)
         SELECT id, $1, reason, sender_domain, reporter, bytes, received_at FROM jsonb_to_recordset($2)
             AS row(id bigint, reason text, sender_domain text, reporter text, bytes integer, received_at timestamptz)
         ON CONFLICT (id) DO NOTHING RETURNING id`,
        [monitorId, JSON.stringify(all)],
      );
      await tx.query('UPDATE report_addresses SET unreadable = unreadable + $2 WHERE monitor_id = $1', [
        monitorId,
        added.length,
      ]);
      await this.forgetUnreadable(tx, monitorId);
    });
  }

  private async forgetUnreadable(tx: EntityManager, monitorId: number): Promise<void> {
    const { unreadable, unreadablePerReporter, unreadableOfReporters, largeReporters } = REPORT_SETTINGS;
    await tx.query(
      `DELETE FROM unreadable_reports WHERE id IN (
         SELECT id FROM (
           SELECT id, reporter, row_number() OVER (PARTITION BY reporter ORDER BY received_at DESC, id DESC) AS own,
                  count(*) FILTER (WHERE reporter <> ALL ($5)) OVER (ORDER BY received_at DESC, id DESC) AS others
             FROM unreadable_reports WHERE monitor_id = $1) AS placed
          WHERE CASE WHEN reporter IS NULL THEN own > $2 ELSE own > $3 OR (reporter <> ALL ($5) AND others > $4) END)`,
      [monitorId, unreadable, unreadablePerReporter, unreadableOfReporters, largeReporters],
    );
  }

  /** Deletes what is older than the history of its account's plan; answers how many reports went. */
  async deleteOld(
    table: ReportTable | 'unreadable_reports',
    before: Date,
    policies: readonly string[],
    pageSize: number,
  ): Promise<number> {
    const [, reports]: [unknown, number] = await this.database.query(
      `DELETE FROM ${table} WHERE id = ANY (ARRAY(
         SELECT report.id FROM ${table} AS report
           JOIN monitors ON monitors.id = monitor_id JOIN accounts ON accounts.id = account_id
          WHERE received_at < $1 AND accounts.policy = ANY ($2) ORDER BY received_at LIMIT $3 FOR UPDATE OF report SKIP LOCKED))`,
      [before, policies, pageSize],
    );
    return reports;
  }
}
