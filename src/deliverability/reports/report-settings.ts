import { DAY_MS, HOUR_MS } from '../../lib/durations.js';

/** How reports are accepted; none of it depends on the account. */
export const REPORT_SETTINGS = {
  /**
   * A source is told of from so many messages on. Forwarders and mailing lists bring a handful of a domain's mail from addresses that
   * change by the day: each of them would be an alarm. A server that somebody has set up, or a forger at work, sends more.
   */
  minSourceMessages: 10,
  /** Sources of the first days are the domain's ordinary ones. Reporters send once a day, so by then each has been heard twice. */
  learningMs: 48 * HOUR_MS,
  /** Sources that one event names; it says how many there are. */
  sourcesPerEvent: 20,
  /**
   * What one domain takes in a day, from whoever writes to its address, which is public. The largest senders get a report from some
   * hundred operators a day.
   */
  reportsPerDay: 1_000,
  rowsPerDay: 200_000,
  /** When that is full, each reporter whose mail passes DKIM or SPF has so much for itself: nobody else can fill it. */
  reportsPerReporter: 100,
  rowsPerReporter: 50_000,
  /** All reporters together but the large ones: whoever has many domains has many rooms. */
  rowsOfReporters: 2_000_000,
  /**
   * What the largest operators send their reports from; their rooms no number of other domains can take, nor whoever has a mailbox at the
   * operator, which is under another name.
   */
  largeReporters: [
    'amazonses.com',
    'corp.mail.ru',
    'dmarc.yahoo.com',
    'emailsrvr.com',
    'fastmail.com',
    'google.com',
    'iphmx.com',
    'linkedin.com',
    'microsoft.com',
    'mimecastreport.com',
    'sicher.gmx.net',
    'sicher.web.de',
    'zoho.com',
  ] as readonly string[],
  /** Reports that could not be read or kept and are listed, the newest of each domain. */
  unreadable: 100,
  /** Beside them those of each reporter whose mail passes DKIM or SPF, and of all of these but the large ones. */
  unreadablePerReporter: 10,
  unreadableOfReporters: 1_000,
  /** Sources, domains and failures of single messages that are counted of a domain. */
  failures: 10_000,
  /** Clocks of reporters may be ahead, and periods of some end in the future. */
  aheadMs: 2 * DAY_MS,
} as const;

/** The tables of reports: both have a monitor, who reports, a period, a count of rows and a time of arrival, and each its own rows. */
export const REPORT_TABLES = ['dmarc_reports', 'tls_reports'] as const;
export type ReportTable = (typeof REPORT_TABLES)[number];
