import type { TargetResult } from '../../blacklists/check-reply.js';
import type { SpamVerdict } from './filters/spam-verdict.js';

import type { ReportFinding } from './report-finding.js';
import type { AuthenticationSection } from './sections/authentication.js';
import type { ContentSection } from './sections/content.js';
import type { HeadersSection } from './sections/headers.js';
import type { TransportSection } from './sections/transport.js';
import type { UnsubscribeSection } from './sections/unsubscribe.js';

/** A rule that mail operators have for senders of many mails, and whether this message keeps it. */
export interface BulkSenderRule {
  readonly rule: string;
  readonly result: 'pass' | 'fail' | 'cannot_be_seen';
  readonly operators: readonly ('gmail' | 'yahoo' | 'outlook')[];
  /** What is demanded, whatever became of it. */
  readonly explanation: string;
}

/** What one message tells, as it is answered and kept. A section is null where there was nothing to look at. */
export interface PlacementReport {
  /** False: our resolver did not answer, or is not believed. What depends on it is unknown, and the report is not charged. */
  readonly dns_answered: boolean;
  readonly transport: TransportSection | null;
  readonly authentication: AuthenticationSection | null;
  readonly headers: HeadersSection | null;
  readonly unsubscribe: UnsubscribeSection | null;
  readonly content: ContentSection | null;
  readonly reputation: readonly TargetResult[];
  readonly spam_filter: SpamVerdict | null;
  readonly bulk_sender_rules: readonly BulkSenderRule[];
  /** The worst first. */
  readonly findings: readonly ReportFinding[];
}

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
