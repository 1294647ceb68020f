import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Owner } from '../keys/access/owner.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { Listing } from '../platform/http/listing.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import type { AggregateReport } from './reader/aggregate-report.js';
import {
  MAX_COUNT,
  type PeriodInput,
  type ReceivedReport,
  ReportHistory,
  reportsOfPeriod,
  type SummedPeriod,
} from './report-history.js';

/** A report without its rows. */
export interface StoredDmarcReport
  extends ReceivedReport, Pick<AggregateReport, 'form' | 'domain' | 'policy' | 'generator' | 'recordsLeftOut'> {
  readonly messages: number;
  /** Messages of which DKIM or SPF passed for an aligned domain. */
  readonly passed: number;
}

/** What one address sent in a domain's name. */
export interface ReportedSource {
  readonly source: string;
  readonly messages: number;
  readonly passed: number;
  readonly spfPassed: number;
  readonly spfAligned: number;
  readonly dkimPassed: number;
  readonly dkimAligned: number;
  readonly quarantined: number;
  readonly rejected: number;
  readonly reporters: number;
  /** Domains that it authenticated as, the first ones by name. */
  readonly authenticatedAs: readonly string[];
  readonly firstSeenAt: Date | null;
  /** Messages that single reports tell of. */
  readonly failures: readonly ReportedFailure[];
}

/** Messages of a source that failed alike, by reports of single messages. */
interface ReportedFailure {
  readonly domain: string;
  readonly failure: string;
  readonly delivery: string | null;
  readonly dkim_domain: string | null;
  readonly dkim_selector: string | null;
  readonly reporter: string | null;
  readonly messages: number;
  readonly last_at: string;
}

interface SourcesOfPeriod extends SummedPeriod {
  readonly sources: readonly ReportedSource[];
}

/** A mail that was no report, or none that could be kept. */
export interface UnreadableMail {
  readonly id: number;
  readonly reason: string;
  readonly senderDomain: string | null;
  readonly reporter: string | null;
  readonly bytes: number;
  readonly receivedAt: Date;
}

/** The last mails that were no reports, and how many there ever were. */
interface UnreadableReports extends Page<UnreadableMail> {
  readonly count: number;
}

const UNREADABLE = new Listing('unreadable-reports', 'integer');
const DEFAULT_SOURCES = 100;
/** Domains, and failures, that are shown of one source. */
const MAX_DOMAINS = 5;
const MAX_FAILURES = 5;

/** What was reported of a domain, for whom it belongs to. */
@Injectable()
export class DmarcReportsService extends ReportHistory<StoredDmarcReport> {
  constructor(database: DataSource, @Inject(CLOCK) clock: WallClock) {
    super(database, clock, {
      table: 'dmarc_reports',
      columns: 'domain, form, generator, policy, messages, passed, records_left_out AS "recordsLeftOut"',
      listing: new Listing('dmarc-reports', 'integer'),
    });
  }

  /** The rows of one report, the most messages first; a report has a bounded number of them. */
  rowsOf(reportId: number): Promise<object[]> {
    return this.database.query(
      `SELECT host(source) AS source, messages, disposition, dkim_aligned, spf_aligned, header_from, dkim_result, dkim_domain,
              spf_result, spf_domain, override
         FROM dmarc_rows WHERE report_id = $1 ORDER BY messages DESC`,
      [reportId],
    );
  }

  /** What reports of single messages said of a domain; it has a bounded number of them. */
  failuresOf(monitorId: number): Promise<object[]> {
    return this.database.query(
      `SELECT host(source) AS source, domain, failure, delivery, dkim_domain, dkim_selector, reporter, messages, first_at, last_at
         FROM dmarc_failures WHERE monitor_id = $1 ORDER BY last_at DESC, source, domain, failure`,
      [monitorId],
    );
  }

  /** Why the last mails to an owner's address were no reports, and how many there ever were. @throws AppError `monitor_not_found` */
  async unreadable(owner: Owner, monitorId: number, query: PageQuery): Promise<UnreadableReports> {
    await this.checkMonitor(owner, monitorId);
    const page = await UNREADABLE.page<UnreadableMail>(
      query,
      ({ limit, after }) =>
        this.database.query(
          `SELECT id, reason, sender_domain AS "senderDomain", reporter, bytes, received_at AS "receivedAt" FROM unreadable_reports
            WHERE monitor_id = $1 AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', received_at), id) < ($2, $3::bigint))
            ORDER BY received_at DESC, id DESC LIMIT $4`,
          [monitorId, after?.at ?? null, after?.id ?? null, limit + 1],
        ),
      ({ receivedAt, id }) => ({ at: receivedAt, id: String(id) }),
    );
    const [counted]: { unreadable: number }[] = await this.database.query(
      'SELECT unreadable FROM report_addresses WHERE monitor_id = $1',
      [monitorId],
    );
    return { ...page, count: counted?.unreadable ?? 0 };
  }

  /** The most messages first. @throws AppError `monitor_not_found`, `invalid_input` */
  async sources(owner: Owner, monitorId: number, input: PeriodInput): Promise<SourcesOfPeriod> {
    const period = await this.periodOf(owner, monitorId, input);
    return { ...period, sources: await this.sourcesOf(monitorId, period, input.limit ?? DEFAULT_SOURCES) };
  }

  /**
   * Sources of the newest reports whose period begins within `from` (included) and `to` (excluded), the most messages first, and those that
   * reports of single messages named then.
   */
  private sourcesOf(monitorId: number, { from, to }: SummedPeriod, limit: number): Promise<ReportedSource[]> {
    const count = (condition: string): string =>
      `least(coalesce(sum(found.messages) FILTER (WHERE ${condition}), 0), ${MAX_COUNT})::bigint`;
    return this.database.query(
      `SELECT host(source) AS source, coalesce(counted.messages, 0) AS messages, coalesce(passed, 0) AS passed,
              coalesce("spfPassed", 0) AS "spfPassed", coalesce("spfAligned", 0) AS "spfAligned",
              coalesce("dkimPassed", 0) AS "dkimPassed", coalesce("dkimAligned", 0) AS "dkimAligned",
              coalesce(quarantined, 0) AS quarantined, coalesce(rejected, 0) AS rejected, coalesce(reporters, 0) AS reporters,
              coalesce("authenticatedAs", '{}') AS "authenticatedAs",
              coalesce(seen.first_seen_at, failed.first_at) AS "firstSeenAt", coalesce(failures, '[]') AS failures
         FROM (
           SELECT source, ${count('true')} AS messages, ${count('dkim_aligned OR spf_aligned')} AS passed,
                  ${count("spf_result = 'pass'")} AS "spfPassed", ${count('spf_aligned')} AS "spfAligned",
                  ${count("dkim_result = 'pass'")} AS "dkimPassed", ${count('dkim_aligned')} AS "dkimAligned",
                  ${count("disposition = 'quarantine'")} AS quarantined, ${count("disposition = 'reject'")} AS rejected,
                  count(DISTINCT report.organization)::integer AS reporters,
                  (coalesce(array_agg(DISTINCT coalesce(dkim_domain, spf_domain)) FILTER (
                    WHERE coalesce(dkim_domain, spf_domain) IS NOT NULL AND (dkim_result = 'pass' OR spf_result = 'pass')
                  ), '{}'))[1:${MAX_DOMAINS}] AS "authenticatedAs"
             FROM ${reportsOfPeriod('dmarc_reports')} AS report JOIN dmarc_rows AS found ON found.report_id = report.id
            WHERE is_summed
            GROUP BY source ORDER BY 2 DESC, source LIMIT $4
         ) AS counted
         FULL JOIN (
           SELECT source, min(first_at) AS first_at, to_jsonb((array_agg(jsonb_build_object(
                    'domain', domain, 'failure', failure, 'delivery', delivery, 'dkim_domain', dkim_domain, 'dkim_selector', dkim_selector,
                    'reporter', reporter, 'messages', messages, 'last_at', last_at) ORDER BY last_at DESC, failure))[1:${MAX_FAILURES}]) AS failures
             FROM dmarc_failures WHERE monitor_id = $1 AND last_at >= $2 AND last_at < $3 GROUP BY source
         ) AS failed USING (source)
         LEFT JOIN (SELECT source, first_seen_at FROM dmarc_sources WHERE monitor_id = $1) AS seen USING (source)
        ORDER BY counted.messages DESC NULLS LAST, source LIMIT $4`,
      [monitorId, from, to, limit],
    );
  }
}
