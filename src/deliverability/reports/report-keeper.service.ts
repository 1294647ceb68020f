import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { insertRow } from '../../platform/database/rows.js';
import type { ReportedDomain } from './report-addresses.store.js';
import type { ReportReading } from './reader/read-report.js';
import { DmarcIntakeService } from './dmarc-intake.service.js';
import { TlsIntakeService } from './tls-intake.service.js';
import { type Arrival, type Keeping, ReportIntakeStore } from './report-intake.store.js';
import type { FailureReport } from './reader/failure-report.js';
import { isWithin } from './reader/aggregate-report.js';
import { REPORT_SETTINGS } from './report-settings.js';

type ReadableReport = Exclude<ReportReading, { readonly refusal: unknown }>;

/** Keeps what was read, of whichever kind: in the room that all senders share, and where that is full in one of the sender's own. */
@Injectable()
export class ReportKeeperService {
  constructor(
    private readonly dmarc: DmarcIntakeService,
    private readonly tls: TlsIntakeService,
    private readonly store: ReportIntakeStore,
  ) {}

  /** @param reporters who is proven to have sent it, whose rooms come after the shared one */
  async keep(
    domain: ReportedDomain,
    reading: ReadableReport,
    at: Date,
    reporters: readonly string[],
  ): Promise<Keeping> {
    const keepIn = (reporter: string | null): Promise<Keeping> => {
      if ('failure' in reading) return this.keepFailure(domain, reading.failure, { at, reporter });
      if ('report' in reading) return this.dmarc.keep(domain, reading.report, { at, reporter });
      return this.tls.keep(domain, reading.tlsReport, { at, reporter });
    };
    const keeping = await keepIn(null);
    if (keeping !== 'too_many') return keeping;
    for (const reporter of reporters) {
      const own = await keepIn(reporter);
      if (own !== 'too_many') return own;
    }
    return keeping;
  }

  /** Counts a report of single messages that failed, by source: its sender chooses all that stands in it, so little of it is kept. */
  private async keepFailure(
    { domain, monitorId }: ReportedDomain,
    failure: FailureReport,
    arrival: Arrival,
  ): Promise<Keeping> {
    const { at, reporter } = arrival;
    if (!isWithin(failure.domain, domain)) return 'other_domain';
    return await this.store.keep('failure_arrivals', { ...arrival, monitorId, key: null, rows: 1 }, async (tx) => {
      await insertRow(tx, 'failure_arrivals', { monitorId, reporter, rowCount: 1, receivedAt: at });
      await this.forgetOldest(tx, monitorId);
      // Its columns are named here: a thread that has read a stranger's mail names none.
      const { source, domain: about, failure: what, delivery, dkimDomain, dkimSelector, messages } = failure;
      const told = { source, domain: about, failure: what, delivery, dkimDomain, dkimSelector, messages };
      await insertRow(
        tx,
        'dmarc_failures AS kept',
        { monitorId, ...told, reporter: failure.reporter, firstAt: at, lastAt: at },
        `ON CONFLICT (monitor_id, source, domain, failure) DO UPDATE
           SET messages = least(kept.messages + excluded.messages, ${Number.MAX_SAFE_INTEGER}), delivery = excluded.delivery,
               dkim_domain = excluded.dkim_domain, dkim_selector = excluded.dkim_selector, reporter = excluded.reporter,
               last_at = excluded.last_at`,
      );
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
