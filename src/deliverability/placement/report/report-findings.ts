import { object, oneOf, orNull, text } from '../../../lib/checked-json.js';
import { readRowsOf } from '../../../platform/config/config-file.js';

export const REPORT_AREAS = [
  'transport',
  'authentication',
  'headers',
  'unsubscribe',
  'content',
  'reputation',
  'spam_filter',
] as const;

export const REPORT_SEVERITIES = ['critical', 'warning', 'info'] as const;

/** What is wrong with a message, by stable codes: each has a row in `config/report-findings.json`. */
const REPORT_CODES = [
  'message_unreadable',
  'header_too_large',
  'reverse_name_missing',
  'reverse_name_not_forward',
  'helo_not_a_name',
  'tls_missing',
  'tls_old',
  'spf_missing',
  'spf_fail',
  'spf_broken',
  'dkim_missing',
  'dkim_fail',
  'dkim_key_weak',
  'dkim_body_not_covered',
  'dkim_testing',
  'dkim_too_many',
  'dmarc_missing',
  'dmarc_fail',
  'dmarc_policy_none',
  'arc_fail',
  'from_not_one',
  'date_missing',
  'date_off',
  'message_id_missing',
  'header_twice',
  'subject_missing',
  'header_not_ascii',
  'line_too_long',
  'unsubscribe_missing',
  'unsubscribe_not_one_click',
  'unsubscribe_not_signed',
  'unsubscribe_malformed',
  'size_clipped',
  'text_missing',
  'body_empty',
  'image_without_alt',
  'image_only',
  'link_insecure',
  'link_shortened',
  'link_to_address',
  'link_text_differs',
  'html_active',
  'attachment_risky',
  'listed',
  'spam_filter_positive',
  'spam_filter_close',
] as const;

export type ReportFindingCode = (typeof REPORT_CODES)[number];

const FINDING = object({
  area: oneOf(...REPORT_AREAS),
  severity: oneOf(...REPORT_SEVERITIES),
  fix: text,
  rfc: orNull(text),
});

/** Every finding of a report by its stable code: where it belongs, how bad it is, what is to be done, and the standard that says so. */
export const REPORT_FINDINGS = readRowsOf('report-findings.json', REPORT_CODES, FINDING);

export type ReportSeverity = (typeof REPORT_SEVERITIES)[number];
