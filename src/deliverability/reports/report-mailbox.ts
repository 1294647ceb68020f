import { createHash } from 'node:crypto';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type InboundHandler, InboundRecipients, type ReceivedMail } from '../inbound/inbound-recipients.js';
import { senderSite } from '../inbound/network-places.js';
import { ReadingEnded, ReadingThreads, type ThreadWork } from '../inbound/reading-threads.js';
import { counter } from '../../platform/metrics/metrics.js';
import { ReportAddressesStore, type ReportedDomain } from './report-addresses.store.js';
import type { ReportReading } from './reader/read-report.js';
import { domainOf } from './reader/aggregate-report.js';
import type { Refusal } from './reader/read-limits.js';
import { ReportKeeperService } from './report-keeper.service.js';
import { type Keeping, ReportIntakeStore, type UnreadableReport } from './report-intake.store.js';
import { ProvenReportersService } from './proven-reporters.service.js';

type Outcome = Keeping | Refusal;

const READ_REPORTS: ThreadWork = {
  file: new URL('./reader/read-report.js', import.meta.url),
  name: 'readReports',
};
const ENDED = { too_long: 'reading_too_long', too_large: 'reading_too_large' } as const;

const reports = counter(
  'mailsonde_reports_total',
  'Reports that came to the addresses for them: kept, duplicate, or why not.',
  ['outcome'],
);

/**
 * What comes to `d-<token>@INBOUND_DOMAIN`. The sender is told 250 when the report is committed, and for what can never be kept, since another
 * attempt would change nothing and nobody reads what we would answer; it is told to come again when a domain has taken its share of the day.
 */
@Injectable()
export class ReportMailbox implements InboundHandler, OnModuleInit {
  private readonly logger = new Logger(ReportMailbox.name);

  constructor(
    private readonly recipients: InboundRecipients,
    private readonly addresses: ReportAddressesStore,
    private readonly keeper: ReportKeeperService,
    private readonly reporters: ProvenReportersService,
    private readonly reports: ReportIntakeStore,
    private readonly threads: ReadingThreads,
  ) {}

  onModuleInit(): void {
    this.recipients.register('d', this);
  }

  async accepts(token: string): Promise<boolean> {
    return (await this.addresses.domainOf(token)) !== null;
  }

  async take(token: string, mail: ReceivedMail): Promise<boolean> {
    const domain = await this.addresses.domainOf(token);
    if (domain === null) return false;
    const outcomes: Outcome[] = [];
    await this.keepAll(domain, mail, outcomes, null);
    const isRefused = (outcome: Outcome): boolean => outcome !== 'kept' && outcome !== 'duplicate';
    // Others are read while the DNS is asked, which the sender of the mail may have made silent.
    const reporters = outcomes.some(isRefused) ? await this.reporters.of(mail) : [];
    if (outcomes.at(-1) === 'too_many' && reporters.length > 0) {
      outcomes.pop();
      await this.keepAll(domain, mail, outcomes, reporters);
    }
    for (const outcome of outcomes) this.count(outcome);
    if (outcomes.includes('not_proven')) return false;
    const refused = outcomes.flatMap((reason, at) => (isRefused(reason) ? [{ reason, at }] : []));
    if (refused.length > 0) {
      const { monitorId } = domain;
      await this.reports.addUnreadable(monitorId, unreadableOf(mail, monitorId, refused, reporters[0] ?? null));
    }
    if (outcomes.includes('too_many')) throw new Error('a domain has taken its share of reports for today');
    return true;
  }

  /**
   * Each report of the mail by itself: what could be kept stays when another must come again, and is then a duplicate.
   * @param outcomes of the reports that were kept before, or refused; those of the others are added
   * @param reporters who is proven to have sent the mail; null: it was not asked, and where it matters the reading ends
   */
  private async keepAll(
    domain: ReportedDomain,
    mail: ReceivedMail,
    outcomes: Outcome[],
    reporters: readonly string[] | null,
  ): Promise<void> {
    let left = outcomes.length;
    for await (const reading of this.readings(mail)) {
      if (left-- > 0) continue;
      const outcome =
        'refusal' in reading
          ? reading.refusal
          : await this.keeper.keep(domain, reading, mail.receivedAt, reporters ?? []);
      outcomes.push(outcome);
      if (outcome === 'not_proven' || (outcome === 'too_many' && reporters === null)) return;
    }
  }

  private async *readings({ raw, clientAddress }: ReceivedMail): AsyncGenerator<ReportReading> {
    try {
      yield* this.threads.pieces<ReportReading>(READ_REPORTS, { mail: raw, turn: senderSite(clientAddress) });
    } catch (fault) {
      if (!(fault instanceof ReadingEnded)) throw fault;
      yield { refusal: ENDED[fault.why] };
    }
  }

  /** The log has the word and nothing that a stranger wrote. */
  private count(outcome: Outcome): void {
    reports.inc({ outcome });
    if (outcome !== 'kept') this.logger.debug(`a mail to an address for reports: ${outcome}`);
  }
}

interface RefusedReport {
  readonly reason: string;
  /** Its place in the mail. */
  readonly at: number;
}

/** What is noted of the reports of a mail that were refused; the mail is hashed once for all of them. */
function unreadableOf(
  { mailFrom, raw, receivedAt }: ReceivedMail,
  monitorId: number,
  refused: readonly RefusedReport[],
  reporter: string | null,
): UnreadableReport[] {
  const hash = createHash('sha256').update(raw);
  return refused.map(({ reason, at }) => ({
    id: hash.copy().update(`${monitorId} ${at} ${reason}`).digest().readUIntBE(0, 6),
    reason,
    sender_domain: domainOf(mailFrom.slice(mailFrom.lastIndexOf('@') + 1)),
    reporter,
    bytes: raw.length,
    received_at: receivedAt,
  }));
}
