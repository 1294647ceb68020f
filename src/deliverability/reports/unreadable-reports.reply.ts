import { NEXT_CURSOR } from '../../platform/http/page.js';
import { REPORT_SETTINGS } from './report-settings.js';
import { READING_REFUSALS } from './reader/read-limits.js';
import { field, Reply } from '../../platform/http/reply.js';

const EXPLANATIONS = {
  ...READING_REFUSALS,
  other_domain: 'The report is about a domain that this monitor does not watch.',
  other_time: 'The period of the report is in the future, or more than 400 days ago.',
  too_many:
    'The domain had received as many reports as it can take in 24 hours. Mailsonde asked the sender to send the report again later.',
};
type Reason = keyof typeof EXPLANATIONS;

export class UnreadableReportReply extends Reply({
  id: field.id(),
  reason: field.oneOf<string>(Object.keys(EXPLANATIONS)),
  explanation: field.text({ example: EXPLANATIONS.xml_malformed }),
  sender_domain: field.textOrNull({
    description: 'The domain of the envelope sender, which nobody has proven.',
    example: 'receiver.example',
  }),
  reporter: field.textOrNull({
    description: 'The domain for which the email passed SPF or DKIM; null: it passed neither.',
    example: 'receiver.example',
  }),
  bytes: field.count('The size of the email in bytes.'),
  received_at: field.moment(),
}) {}

export class UnreadableReportPageReply extends Reply({
  count: field.largeCount('Since the address exists.'),
  unreadable: field.listOf(
    UnreadableReportReply,
    `The last ${REPORT_SETTINGS.unreadable} without a \`reporter\`, and the last ${REPORT_SETTINGS.unreadablePerReporter} of each reporter.`,
  ),
  next_cursor: NEXT_CURSOR,
}) {}

/** A mail that was no report, or none that could be kept. */
export type UnreadableMail = Omit<UnreadableReportReply, 'explanation'>;

export function unreadableReply({ id, reason, ...mail }: UnreadableMail): UnreadableReportReply {
  return { id, reason, explanation: EXPLANATIONS[reason as Reason], ...mail };
}
