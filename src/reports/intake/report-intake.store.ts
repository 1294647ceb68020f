import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DAY_MS } from '../../async/durations.js';
import { REPORT_SETTINGS } from '../report-settings.js';
import type { ReportTable } from '../report-table.js';

/** What the reports of a domain have in common, whatever they tell: whose they are, how many it may take, and when they go. */
@Injectable()
export class ReportIntakeStore {
  constructor(private readonly database: DataSource) {}

  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }

  /** Reports of one domain are kept one after the other, so that each source is new once. False: it is not proven any more. */
  async lock(tx: EntityManager, monitorId: number): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM report_addresses WHERE monitor_id = $1 AND verified_at IS NOT NULL FOR UPDATE`,
      [monitorId],
    );
    return rows.length > 0;
  }

  /** Whether a domain may take one more report of this kind, with so many rows, on the day that ends now. */
  async hasRoom(tx: EntityManager, table: ReportTable, monitorId: number, rows: number, at: Date): Promise<boolean> {
    const [taken]: [{ reports: number; rows: number }] = await tx.query(
      `SELECT count(*)::integer AS reports, coalesce(sum(row_count), 0)::integer AS rows
         FROM ${table} WHERE monitor_id = $1 AND received_at > $2`,
      [monitorId, new Date(at.getTime() - DAY_MS)],
    );
    return taken.reports < REPORT_SETTINGS.reportsPerDay && taken.rows + rows <= REPORT_SETTINGS.rowsPerDay;
  }

  /** Deletes what is older than the history of its account's plan; answers how many reports went. */
  async deleteOld(table: ReportTable, before: Date, policies: readonly string[], pageSize: number): Promise<number> {
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
