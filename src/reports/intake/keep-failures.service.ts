import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ReportedDomain } from '../ownership/report-addresses.store.js';
import type { FailureReport } from '../reader/failure-report.js';
import { isWithin } from '../reader/report-row.js';
import { REPORT_SETTINGS } from '../report-settings.js';
import type { Keeping } from './keeping.js';
import { type Arrival, ReportIntakeStore } from './report-intake.store.js';

/** Counts reports of single messages that failed, by source: their senders choose all that stands in them, so little of it is kept. */
@Injectable()
export class KeepFailures {
  constructor(private readonly reports: ReportIntakeStore) {}

  async keep({ domain, monitorId }: ReportedDomain, failure: FailureReport, arrival: Arrival): Promise<Keeping> {
    const { at, reporter } = arrival;
    if (!isWithin(failure.domain, domain)) return 'other_domain';
    return await this.reports.transaction(async (tx) => {
      if (!(await this.reports.lock(tx, monitorId))) return 'not_proven';
      if (!(await this.reports.hasRoom(tx, 'failure_arrivals', { ...arrival, monitorId, rows: 1 }))) return 'too_many';
      await tx.query(
        'INSERT INTO failure_arrivals (monitor_id, reporter, row_count, received_at) VALUES ($1, $2, 1, $3)',
        [monitorId, reporter, at],
      );
      await this.forgetOldest(tx, monitorId);
      await tx.query(
        `INSERT INTO dmarc_failures AS kept
           (monitor_id, source, domain, failure, delivery, dkim_domain, dkim_selector, reporter, messages, first_at, last_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
         ON CONFLICT (monitor_id, source, domain, failure) DO UPDATE
           SET messages = least(kept.messages + excluded.messages, ${Number.MAX_SAFE_INTEGER}), delivery = excluded.delivery,
               dkim_domain = excluded.dkim_domain, dkim_selector = excluded.dkim_selector, reporter = excluded.reporter,
               last_at = excluded.last_at`,
        [
          monitorId,
          failure.source,
          failure.domain,
          failure.failure,
          failure.delivery,
          failure.dkimDomain,
          failure.dkimSelector,
          failure.reporter,
          failure.messages,
          at,
        ],
      );
      return 'kept';
    });
  }

  /** The address is public: of what comes to it the newest is kept. */
  private async forgetOldest(tx: EntityManager, monitorId: number): Promise<void> {
    await tx.query(
      `DELETE FROM dmarc_failures WHERE monitor_id = $1 AND last_at < (
         SELECT last_at FROM dmarc_failures WHERE monitor_id = $1 ORDER BY last_at DESC OFFSET $2 LIMIT 1)`,
      [monitorId, REPORT_SETTINGS.failures],
    );
  }
}
