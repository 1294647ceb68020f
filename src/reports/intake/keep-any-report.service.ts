import { Injectable } from '@nestjs/common';
import type { ReceivedMail } from '../../inbound/received-mail.js';
import type { ReportedDomain } from '../ownership/report-addresses.store.js';
import type { ReportReading } from '../reader/read-report.js';
import { KeepFailures } from './keep-failures.service.js';
import { KeepReports } from './keep-reports.service.js';
import { KeepTlsReports } from './keep-tls-reports.service.js';
import type { Keeping } from './keeping.js';
import { ProvenReporters } from './proven-reporters.service.js';

export type ReadableReport = Exclude<ReportReading, { readonly refusal: unknown }>;

/** Keeps what was read, of whichever kind: in the room that all senders share, and where that is full in the sender's own. */
@Injectable()
export class KeepAnyReport {
  constructor(
    private readonly reports: KeepReports,
    private readonly tlsReports: KeepTlsReports,
    private readonly failures: KeepFailures,
    private readonly reporters: ProvenReporters,
  ) {}

  async keep(domain: ReportedDomain, reading: ReadableReport, mail: ReceivedMail): Promise<Keeping> {
    const { receivedAt: at } = mail;
    if ('failure' in reading) return await this.failures.keep(domain, reading.failure, at);
    const keepIn = (reporter: string | null): Promise<Keeping> =>
      'report' in reading
        ? this.reports.keep(domain, reading.report, { at, reporter })
        : this.tlsReports.keep(domain, reading.tlsReport, { at, reporter });
    const keeping = await keepIn(null);
    if (keeping !== 'too_many') return keeping;
    const reporter = await this.reporters.of(mail);
    return reporter === null ? keeping : await keepIn(reporter);
  }
}
