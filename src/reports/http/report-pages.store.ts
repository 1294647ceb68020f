import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';
import type { PageRequest } from '../../platform/http/page.js';
import type { ReportTable } from '../report-table.js';
import type { ReportedPeriod } from './reported-period.js';
import { reportsOfPeriod } from './summed-reports.js';

/** A mail that was no report, or none that could be kept. */
export interface KeptUnreadable {
  readonly id: number;
  readonly reason: string;
  readonly senderDomain: string | null;
  readonly reporter: string | null;
  readonly bytes: number;
  readonly receivedAt: Date;
}

/** Reports as they came, whatever they tell. Every statement asks for the account of the monitor. */
@Injectable()
export class ReportPagesStore {
  constructor(private readonly database: DataSource) {}

  async hasMonitor({ accountId, simulated }: Owner, id: number): Promise<boolean> {
    const rows: unknown[] = await this.database.query(
      'SELECT 1 FROM monitors WHERE id = $1 AND account_id = $2 AND simulated = $3',
      [id, accountId, simulated],
    );
    return rows.length > 0;
  }

  /** How many reports of a monitor could not be kept, ever. */
  async unreadableCount(monitorId: number): Promise<number> {
    const rows: { unreadable: number }[] = await this.database.query(
      'SELECT unreadable FROM report_addresses WHERE monitor_id = $1',
      [monitorId],
    );
    return rows[0]?.unreadable ?? 0;
  }

  /** Why the last of them could not, newest first, one more than asked for. */
  unreadable(monitorId: number, { limit, after }: PageRequest): Promise<KeptUnreadable[]> {
    return this.database.query(
      `SELECT id, reason, sender_domain AS "senderDomain", reporter, bytes, received_at AS "receivedAt" FROM unreadable_reports
        WHERE monitor_id = $1 AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', received_at), id) < ($2, $3::bigint))
        ORDER BY received_at DESC, id DESC LIMIT $4`,
      [monitorId, after?.at ?? null, after?.id ?? null, limit + 1],
    );
  }

  /** How many reports of a period are older than those that sums read. */
  async leftOut(table: ReportTable, monitorId: number, { from, to }: ReportedPeriod): Promise<number> {
    const [{ count }]: [{ count: number }] = await this.database.query(
      `SELECT count(*)::integer AS count FROM ${reportsOfPeriod(table)} AS report WHERE NOT is_summed`,
      [monitorId, from, to],
    );
    return count;
  }

  /** Newest first, one more than asked for. @param monitorId null: of all monitors */
  list<Report>(
    { table, columns }: { readonly table: ReportTable; readonly columns: string },
    { accountId, simulated }: Owner,
    monitorId: number | null,
    { limit, after }: PageRequest,
    keptFrom: Date,
  ): Promise<Report[]> {
    return this.database.query(
      `SELECT report.id, monitor_id AS "monitorId", organization, report_id AS "reportId", begins_at AS "beginsAt", ends_at AS "endsAt",
              received_at AS "receivedAt", ${columns}
         FROM ${table} AS report JOIN monitors ON monitors.id = monitor_id
        WHERE account_id = $1 AND simulated = $2 AND ($3::bigint IS NULL OR monitor_id = $3) AND received_at >= $4
          AND ($5::timestamptz IS NULL OR (date_trunc('milliseconds', received_at), report.id) < ($5, $6::bigint))
        ORDER BY received_at DESC, report.id DESC LIMIT $7`,
      [accountId, simulated, monitorId, keptFrom, after?.at ?? null, after?.id ?? null, limit + 1],
    );
  }
}
