import type { DnsFix } from '../../engine/domain/finding.js';
import type { TargetResult } from '../../blacklists/check-reply.js';
import type { SpamVerdict } from './spam-filters.js';
import type { AuthenticationSection, TransportSection } from './authentication.js';
import type { ContentSection } from './content.js';
import type { HeadersSection, UnsubscribeSection } from './message-facts.js';

export const REPORT_AREAS = [
  'transport',
  'authentication',
  'headers',
  'unsubscribe',
  'content',
  'reputation',
  'spam_filter',
] as const;

type ReportArea = (typeof REPORT_AREAS)[number];

export const REPORT_SEVERITIES = ['critical', 'warning', 'info'] as const;

export type ReportSeverity = (typeof REPORT_SEVERITIES)[number];

/** Every finding of a report by its stable code: where it belongs, how bad it is, what is to be done, and the standard that says so. */
const REPORT_FINDINGS = {
  message_unreadable: [
    'headers',
    'critical',
    'Write the message as RFC 5322 and MIME have it, with fewer parts within parts.',
    'RFC 2045',
  ],
  header_too_large: [
    'headers',
    'critical',
    'Send fewer and shorter header fields; receivers refuse such mail.',
    'RFC 5321 section 4.5.3.1',
  ],
  reverse_name_missing: [
    'transport',
    'critical',
    'Give the sending address a PTR record, at whoever has given you the address.',
    'RFC 1912 section 2.1',
  ],
  reverse_name_not_forward: [
    'transport',
    'warning',
    'Let the name of the PTR record have an A or AAAA record with the sending address.',
    'RFC 1912 section 2.1',
  ],
  helo_not_a_name: [
    'transport',
    'warning',
    'Let the server say its own full host name in EHLO.',
    'RFC 5321 section 4.1.1.1',
  ],
  tls_missing: ['transport', 'warning', 'Turn STARTTLS on for outgoing mail.', 'RFC 3207'],
  tls_old: ['transport', 'warning', 'Let outgoing mail use TLS 1.2 or 1.3.', 'RFC 8996'],
  spf_missing: ['authentication', 'warning', 'Publish an SPF record for the domain of MAIL FROM.', 'RFC 7208'],
  spf_fail: [
    'authentication',
    'critical',
    'Add the sending address to the SPF record of the domain of MAIL FROM.',
    'RFC 7208',
  ],
  spf_broken: [
    'authentication',
    'critical',
    'Mend the SPF record of the domain of MAIL FROM: receivers give up on it.',
    'RFC 7208 section 4.6',
  ],
  dkim_missing: ['authentication', 'critical', 'Sign outgoing mail with DKIM by the domain of From.', 'RFC 6376'],
  dkim_fail: [
    'authentication',
    'critical',
    'Find what changes the message after it is signed, or publish the key that signs it.',
    'RFC 6376',
  ],
  dkim_key_weak: [
    'authentication',
    'warning',
    'Sign with an RSA key of 2048 bits, or with Ed25519 beside one.',
    'RFC 8301 section 3.2',
  ],
  dkim_body_not_covered: [
    'authentication',
    'warning',
    'Sign without l=: anybody may add to the body behind what is signed.',
    'RFC 6376 section 8.2',
  ],
  dkim_testing: [
    'authentication',
    'warning',
    'Take t=y out of the key record, once signatures are right.',
    'RFC 6376 section 3.6.1',
  ],
  dkim_too_many: [
    'authentication',
    'warning',
    'Sign once or twice: receivers look at a few signatures only.',
    'RFC 6376 section 6.1',
  ],
  dmarc_missing: ['authentication', 'critical', 'Publish a DMARC record for the domain of From.', 'RFC 9989'],
  dmarc_fail: [
    'authentication',
    'critical',
    'Let SPF or DKIM pass for the domain of From, or one of the same organization.',
    'RFC 9989',
  ],
  dmarc_policy_none: [
    'authentication',
    'info',
    'Once the reports show that all your mail passes, publish p=quarantine or p=reject.',
    'RFC 9989 section 4.7',
  ],
  arc_fail: [
    'authentication',
    'warning',
    'The chain of a forwarder is broken: look at the last server that added to it.',
    'RFC 8617',
  ],
  from_not_one: ['headers', 'critical', 'Send one From field with one address.', 'RFC 5322 section 3.6'],
  date_missing: ['headers', 'warning', 'Send one Date field.', 'RFC 5322 section 3.6.1'],
  date_off: ['headers', 'warning', 'Set the clock of the server that makes the message.', 'RFC 5322 section 3.6.1'],
  message_id_missing: ['headers', 'warning', 'Send one Message-ID with a domain of yours.', 'RFC 5322 section 3.6.4'],
  header_twice: ['headers', 'warning', 'Send each of these fields once.', 'RFC 5322 section 3.6'],
  subject_missing: ['headers', 'warning', 'Send a Subject.', null],
  header_not_ascii: [
    'headers',
    'warning',
    'Encode header fields as RFC 2047 has it: the message did not come by SMTPUTF8 alone.',
    'RFC 2047',
  ],
  line_too_long: [
    'headers',
    'warning',
    'Keep lines below 998 octets, by quoted-printable or base64.',
    'RFC 5321 section 4.5.3.1.6',
  ],
  unsubscribe_missing: [
    'unsubscribe',
    'warning',
    'Send List-Unsubscribe with an https address, and List-Unsubscribe-Post: List-Unsubscribe=One-Click.',
    'RFC 8058',
  ],
  unsubscribe_not_one_click: [
    'unsubscribe',
    'warning',
    'Send List-Unsubscribe-Post: List-Unsubscribe=One-Click beside an https address in List-Unsubscribe.',
    'RFC 8058 section 3.1',
  ],
  unsubscribe_not_signed: [
    'unsubscribe',
    'critical',
    'Name list-unsubscribe and list-unsubscribe-post in h= of the DKIM signature.',
    'RFC 8058 section 4',
  ],
  unsubscribe_malformed: [
    'unsubscribe',
    'warning',
    'Write List-Unsubscribe as addresses in angle brackets, with commas between them.',
    'RFC 2369 section 3.2',
  ],
  size_clipped: ['content', 'warning', 'Make the HTML smaller than 102 kilobytes: Gmail hides the rest.', null],
  text_missing: [
    'content',
    'warning',
    'Send a text part beside the HTML, in multipart/alternative.',
    'RFC 2046 section 5.1.4',
  ],
  body_empty: ['content', 'warning', 'Send a text or an HTML part with something in it.', null],
  image_without_alt: ['content', 'info', 'Give each image an alt text.', null],
  image_only: ['content', 'warning', 'Say in text what the images say.', null],
  link_insecure: ['content', 'warning', 'Link by https.', null],
  link_shortened: [
    'content',
    'warning',
    'Link to your own domain in place of a shortener, which spammers use too.',
    null,
  ],
  link_to_address: ['content', 'critical', 'Link to names, not to IP addresses.', null],
  link_text_differs: [
    'content',
    'critical',
    'Let a link that shows a domain lead to that domain: filters take others for phishing.',
    null,
  ],
  html_active: ['content', 'warning', 'Take scripts, forms, frames and objects out: no mail program runs them.', null],
  attachment_risky: [
    'content',
    'critical',
    'Send a link to the file: programs, scripts and macros are refused by most receivers.',
    null,
  ],
  listed: [
    'reputation',
    'critical',
    'Mend what the list has seen, then ask it to delist, at the address that is shown.',
    null,
  ],
  spam_filter_positive: [
    'spam_filter',
    'critical',
    'Look at the rules with the highest scores, and change what they name.',
    null,
  ],
  spam_filter_close: [
    'spam_filter',
    'warning',
    'Look at the rules with the highest scores: a little more, and this is spam.',
    null,
  ],
} as const satisfies Record<string, readonly [ReportArea, ReportSeverity, string, string | null]>;

export type ReportFindingCode = keyof typeof REPORT_FINDINGS;

export interface ReportFinding {
  readonly code: ReportFindingCode;
  readonly area: ReportArea;
  readonly severity: ReportSeverity;
  /** What was seen, in a sentence. */
  readonly explanation: string;
  /** By what it was seen. */
  readonly evidence: Readonly<Record<string, unknown>>;
  /** What to do. */
  readonly fix: string;
  /** The record to publish, where what the domains publish can tell. */
  readonly record: DnsFix | null;
  readonly rfc: string | null;
}

/** @param severity another than that of the code, where how bad it is depends on what was seen */
export function reportFinding(
  code: ReportFindingCode,
  explanation: string,
  evidence: ReportFinding['evidence'] = {},
  severity?: ReportSeverity,
): ReportFinding {
  const [area, usual, fix, rfc] = REPORT_FINDINGS[code];
  return { code, area, severity: severity ?? usual, explanation, evidence, fix, record: null, rfc };
}

export function worstFirst(findings: readonly ReportFinding[]): readonly ReportFinding[] {
  return findings.toSorted(
    (one, other) => REPORT_SEVERITIES.indexOf(one.severity) - REPORT_SEVERITIES.indexOf(other.severity),
  );
}

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
