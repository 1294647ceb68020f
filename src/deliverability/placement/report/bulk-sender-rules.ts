import { listOf, object, oneOf, text } from '../../../lib/checked-json.js';
import { readRowsOf } from '../../../platform/config/config-file.js';
import type { ReportSections } from './placement-report.js';
import type { BulkSenderRuleReply } from './report-sections.reply.js';

/** In the order in which they are told. */
const RULE_NAMES = [
  'spf',
  'dkim',
  'dmarc_record',
  'alignment',
  'reverse_name',
  'tls',
  'one_from',
  'message_format',
  'one_click_unsubscribe',
  'complaint_rate',
  'unsubscribe_within_two_days',
] as const;
type RuleName = (typeof RULE_NAMES)[number];

const RULES = readRowsOf(
  'bulk-sender-rules.json',
  RULE_NAMES,
  object({ operators: listOf(oneOf('gmail', 'yahoo', 'outlook')), explanation: text }),
);

type Verdict = boolean | null;

/**
 * What Gmail and Yahoo (since February 2024) and Outlook.com (since May 2025) ask of whoever sends them 5,000 mails a day, looked at on one
 * message. What no message shows, such as complaints, is `cannot_be_seen`, never a pass.
 */
export function bulkSenderRules(report: ReportSections): readonly BulkSenderRuleReply[] {
  const { transport, authentication, headers, unsubscribe } = report;
  const spf = authentication?.spf ?? null;
  const dmarc = authentication?.dmarc ?? null;
  const verdicts: Readonly<Record<RuleName, Verdict>> = {
    spf: spf === null ? null : passesAny([spf]),
    dkim: authentication === null ? null : passesAny(authentication.dkim),
    dmarc_record: dmarc === null ? null : dmarc.record !== null || (isUnsaid(dmarc) ? null : false),
    alignment: authentication === null ? null : isAligned(authentication),
    reverse_name: hasWayBack(transport),
    tls: transport?.tls == null ? null : transport.tls !== 'none',
    one_from: headers === null ? null : headers.from_fields === 1 && headers.from_addresses === 1,
    message_format:
      headers === null ? null : headers.repeated.length === 0 && headers.has_message_id && headers.date !== null,
    one_click_unsubscribe: unsubscribe === null ? null : unsubscribe.one_click && unsubscribe.signed === true,
    complaint_rate: null,
    unsubscribe_within_two_days: null,
  };
  return RULE_NAMES.map((rule) => {
    const isKept = verdicts[rule];
    const result = isKept === null ? 'cannot_be_seen' : isKept ? 'pass' : 'fail';
    return { rule, result, ...RULES[rule] };
  });
}

function isUnsaid({ result }: { readonly result: string }): boolean {
  return result === 'temperror';
}

function isAligned({ spf, dkim, dmarc }: NonNullable<ReportSections['authentication']>): Verdict {
  if (dmarc.aligned_by.length > 0) return true;
  return [...(spf === null ? [] : [spf]), ...dkim, dmarc].some(isUnsaid) ? null : false;
}

/** Null: none passes, and the DNS did not answer for one (`temperror`). */
function passesAny(results: readonly { readonly result: string }[]): Verdict {
  if (results.some(({ result }) => result === 'pass')) return true;
  return results.some(isUnsaid) ? null : false;
}

/** No name at all leads back as little as a wrong one; null: the DNS did not say. */
function hasWayBack(transport: ReportSections['transport']): Verdict {
  if (transport === null || !transport.reverse_answered) return null;
  return transport.reverse_name === null ? false : transport.forward_confirmed;
}
