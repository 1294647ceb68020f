import { REPORT_FINDINGS, REPORT_SEVERITIES, type ReportFindingCode, type ReportSeverity } from './report-findings.js';
import type { PlacementReportReply, ReportFindingReply } from './report-sections.reply.js';

/** What is wrong with a message, as it is answered and kept. */
export type ReportFinding = Readonly<ReportFindingReply> & { readonly code: ReportFindingCode };

/** @param severity another than that of the code, where how bad it is depends on what was seen */
export function reportFinding(
  code: ReportFindingCode,
  explanation: string,
  evidence: object = {},
  severity?: ReportSeverity,
): ReportFinding {
  const { area, severity: usual, fix, rfc } = REPORT_FINDINGS[code];
  return { code, area, severity: severity ?? usual, explanation, evidence: { ...evidence }, fix, record: null, rfc };
}

export function worstFirst(findings: readonly ReportFinding[]): readonly ReportFinding[] {
  return findings.toSorted(
    (one, other) => REPORT_SEVERITIES.indexOf(one.severity) - REPORT_SEVERITIES.indexOf(other.severity),
  );
}

/** What one message tells, as it is answered and kept. A section is null where there was nothing to look at. */
export type PlacementReport = Omit<PlacementReportReply, 'findings'> & { readonly findings: readonly ReportFinding[] };

/** What a report is charged by: one whose reading was ended tells nothing of its message. */
export function outcomeOf(report: PlacementReport): 'answered' | 'unanswered' {
  const isUnread = report.headers === null && report.findings.some(({ code }) => code === 'message_unreadable');
  return isWholeReport(report) && !isUnread ? 'answered' : 'unanswered';
}

/** The sections without what is judged of them. */
export type ReportSections = Omit<PlacementReport, 'dns_answered' | 'bulk_sender_rules' | 'findings'>;

/** Whether a report was made with the DNS. Reports kept before that was noted down were. @param report as it was kept */
export function isWholeReport(report: object | null): report is PlacementReport {
  return report !== null && (report as Partial<PlacementReport>).dns_answered !== false;
}
