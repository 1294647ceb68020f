/** The tables of reports: both have a monitor, who reports, a period, a count of rows and a time of arrival, and each its own rows. */
export const REPORT_TABLES = ['dmarc_reports', 'tls_reports'] as const;
export type ReportTable = (typeof REPORT_TABLES)[number];
