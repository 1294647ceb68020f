import { FINDING_AREAS } from '../../engine/domain/finding.js';
import { field, Reply } from '../../platform/http/reply.js';

export class DnsFixReply extends Reply({
  kind: field.oneOf(['dns', 'file'], '`file`: what a web server gives, at the URL `name`.'),
  action: field.oneOf(['add', 'replace', 'remove']),
  name: field.text({ example: '_dmarc.example.com.' }),
  type: field.oneOf(['TXT', 'MX', 'PTR', 'TLSA', 'file']),
  current: field.textOrNull('What stands there now, a line for each record.'),
  value: field.textOrNull('The record to publish; `null`: nothing takes its place.'),
  why: field.text(),
  confidence: field.oneOf(
    ['certain', 'needs_you'],
    '`certain`: it was judged, and nothing gets worse by it. `needs_you`: it has a value that only you know (`<…>`), a choice that only you may make, or `why` says what else it does.',
  ),
}) {}

/** What findings have in common. @param subject what they are about */
export function findingFields<Area extends string>(areas: readonly Area[], subject: string) {
  return Reply({
    code: field.text({ example: 'dmarc_missing', description: 'Stable.' }),
    area: field.oneOf(areas),
    severity: field.oneOf(['critical', 'warning', 'info']),
    subject: field.text(subject),
    explanation: field.text(),
    evidence: field.anyMembers('What it was seen by.'),
    fix: field.oneOrNull(DnsFixReply),
    rfc: field.textOrNull({ example: 'RFC 9989' }),
  });
}

export class DomainFindingReply extends findingFields(
  FINDING_AREAS,
  'The domain, a mail host, an address or a selector.',
) {}

/** A record that was found, its name with a dot at its end, as name servers write it. */
export class FoundRecordReply extends Reply({
  area: field.oneOf(FINDING_AREAS),
  name: field.text({ example: 'example.com.' }),
  type: field.oneOf(['MX', 'NS', 'PTR', 'TXT', 'TLSA']),
  value: field.text(),
}) {}
