import type { BulkSenderRule, ReportSections } from './placement-report.js';

const ALL = ['gmail', 'yahoo', 'outlook'] as const;
const GMAIL_AND_YAHOO = ['gmail', 'yahoo'] as const;

type Verdict = boolean | null;

/**
 * What Gmail and Yahoo (since February 2024) and Outlook.com (since May 2025) ask of whoever sends them 5,000 mails a day, looked at on one
 * message. What no message shows, such as complaints, is `cannot_be_seen`, never a pass.
 */
export function bulkSenderRules(report: ReportSections): readonly BulkSenderRule[] {
  const { transport, authentication, headers, unsubscribe } = report;
  const spf = authentication?.spf ?? null;
  const hasDkim = authentication === null ? null : passesAny(authentication.dkim);
  const dmarc = authentication?.dmarc ?? null;
  return [
    rule('spf', spf === null ? null : passesAny([spf]), ALL, 'SPF must pass for the domain of MAIL FROM.'),
    rule('dkim', hasDkim, ALL, 'A DKIM signature must pass.'),
    rule(
      'dmarc_record',
      dmarc === null ? null : dmarc.record !== null || (isUnsaid(dmarc) ? null : false),
      ALL,
      'The domain of From must have a DMARC record.',
    ),
    rule(
      'alignment',
      authentication === null ? null : isAligned(authentication),
      ALL,
      'SPF or DKIM must pass for the domain of From, or one of its organization.',
    ),
    rule('reverse_name', hasWayBack(transport), ALL, 'The sending address must have a name that leads back to it.'),
    rule(
      'tls',
      transport?.tls == null ? null : transport.tls !== 'none',
      GMAIL_AND_YAHOO,
      'The mail must come by TLS.',
    ),
    rule(
      'one_from',
      headers === null ? null : headers.from_fields === 1 && headers.from_addresses === 1,
      ALL,
      'There must be one From field with one address.',
    ),
    rule(
      'message_format',
      headers === null ? null : headers.repeated.length === 0 && headers.has_message_id && headers.date !== null,
      GMAIL_AND_YAHOO,
      'Fields must stand there as RFC 5322 has them.',
    ),
    rule(
      'one_click_unsubscribe',
      unsubscribe === null ? null : unsubscribe.one_click && unsubscribe.signed === true,
      GMAIL_AND_YAHOO,
      'Readers of marketing and subscribed mail must be able to leave by one click, in signed fields (RFC 8058).',
    ),
    rule('complaint_rate', null, ALL, 'Fewer than 3 of 1,000 readers may call it spam: only the operator knows.'),
    rule('unsubscribe_within_two_days', null, GMAIL_AND_YAHOO, 'Whoever leaves must get no more after two days.'),
  ];
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

function rule(
  name: string,
  isKept: Verdict,
  operators: BulkSenderRule['operators'],
  explanation: string,
): BulkSenderRule {
  const result = isKept === null ? 'cannot_be_seen' : isKept ? 'pass' : 'fail';
  return { rule: name, result, operators, explanation };
}
