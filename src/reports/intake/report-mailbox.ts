import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Semaphore } from '../../async/semaphore.js';
import { type InboundHandler, InboundRecipients } from '../../inbound/inbound-recipients.js';
import type { ReceivedMail } from '../../inbound/received-mail.js';
import { counter } from '../../platform/metrics/metrics.js';
import { ReportAddressesStore } from '../ownership/report-addresses.store.js';
import { readReport } from '../reader/read-report.js';
import { KeepReports } from './keep-reports.service.js';
import { KeepTlsReports } from './keep-tls-reports.service.js';

/** Each holds a report unpacked. */
const READING_CONCURRENCY = 2;

const reports = counter(
  'mailsonde_reports_total',
  'Mails to the addresses for reports: kept, duplicate, or why none was kept.',
  ['outcome'],
);

/**
 * What comes to `d-<token>@INBOUND_DOMAIN`. The sender is told 250 when the report is committed, and for what can never be kept, since another
 * attempt would change nothing and nobody reads what we would answer; it is told to come again when a domain has taken its share of the day.
 */
@Injectable()
export class ReportMailbox implements InboundHandler, OnModuleInit {
  private readonly logger = new Logger(ReportMailbox.name);
  private readonly reading = new Semaphore(READING_CONCURRENCY);

  constructor(
    private readonly recipients: InboundRecipients,
    private readonly addresses: ReportAddressesStore,
    private readonly keeping: KeepReports,
    private readonly keepingTls: KeepTlsReports,
  ) {}

  onModuleInit(): void {
    this.recipients.register('d', this);
  }

  async accepts(token: string): Promise<boolean> {
    return (await this.addresses.domainOf(token)) !== null;
  }

  async take(token: string, { raw, receivedAt }: ReceivedMail): Promise<boolean> {
    const domain = await this.addresses.domainOf(token);
    if (domain === null) return false;
    const reading = await this.read(raw);
    if ('refusal' in reading) return this.count(reading.refusal);
    const keeping =
      'report' in reading
        ? await this.keeping.keep(domain, reading.report, receivedAt)
        : await this.keepingTls.keep(domain, reading.tlsReport, receivedAt);
    this.count(keeping);
    if (keeping === 'too_many') throw new Error('a domain has taken its share of reports for today');
    return keeping !== 'not_proven';
  }

  private async read(raw: Buffer): ReturnType<typeof readReport> {
    const permit = await this.reading.acquire();
    try {
      return await readReport(raw);
    } finally {
      permit.release();
    }
  }

  /** The log has the word and nothing that a stranger wrote. */
  private count(outcome: string): true {
    reports.inc({ outcome });
    if (outcome !== 'kept') this.logger.debug(`a mail to an address for reports: ${outcome}`);
    return true;
  }
}
