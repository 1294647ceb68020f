import { Injectable } from '@nestjs/common';
import type { ReportedDomain } from '../ownership/report-addresses.store.js';
import type { ReportReading } from '../reader/read-report.js';
import { KeepFailures } from './keep-failures.service.js';
import { KeepReports } from './keep-reports.service.js';
import { KeepTlsReports } from './keep-tls-reports.service.js';
import type { Keeping } from './keeping.js';

export type ReadableReport = Exclude<ReportReading, { readonly refusal: unknown }>;

/** Keeps what was read, of whichever kind: in the room that all senders share, and where that is full in one of the sender's own. */
@Injectable()
export class KeepAnyReport {
  constructor(
    private readonly reports: KeepReports,
    private readonly tlsReports: KeepTlsReports,
    private readonly failures: KeepFailures,
  ) {}

  /** @param reporters who is proven to have sent it, whose rooms come after the shared one */
  async keep(
    domain: ReportedDomain,
    reading: ReadableReport,
    at: Date,
    reporters: readonly string[],
  ): Promise<Keeping> {
    const keepIn = (reporter: string | null): Promise<Keeping> => {
      if ('failure' in reading) return this.failures.keep(domain, reading.failure, { at, reporter });
      if ('report' in reading) return this.reports.keep(domain, reading.report, { at, reporter });
      return this.tlsReports.keep(domain, reading.tlsReport, { at, reporter });
    };
    const keeping = await keepIn(null);
    if (keeping !== 'too_many') return keeping;
    for (const reporter of reporters) {
      const own = await keepIn(reporter);
      if (own !== 'too_many') return own;
    }
    return keeping;
  }
}
