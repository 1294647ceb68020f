import { isIP } from 'node:net';
import type { DomainFacts } from '../facts.js';
import { type DnsFix, type DomainFinding, finding } from '../finding.js';

/** MX records that say what none may say: an address for a name, or that there is no mail host beside mail hosts. */
export function judgeMxNames({ domain, mx, wildcardTexts }: DomainFacts): DomainFinding[] {
  const mxFix = (current: string, value: string | null, why: string): DnsFix => ({
    kind: 'dns',
    action: value === null ? 'remove' : 'replace',
    name: `${domain}.`,
    type: 'MX',
    current,
    value,
    why,
    confidence: 'needs_you',
  });
  const found = mx.hosts
    .filter(({ host }) => isAddressName(host))
    .map(({ host, preference }) => {
      const record = `${preference} ${host}.`;
      const fix = mxFix(record, `${preference} <a name that has this address>.`, 'mail hosts are names');
      const words = `The MX record names the address ${host}, where a name must stand: senders find no mail host there.`;
      return finding('mx_is_address', host, words, { record }, fix);
    });
  if (mx.hasNull && mx.hosts.length > 0) {
    const words =
      'One MX record says that the domain takes no mail, and others name mail hosts: some senders refuse to send.';
    const fix = mxFix('0 .', null, 'the domain has mail hosts');
    found.push(finding('mx_null_not_alone', domain, words, { hosts: mx.hosts.map(({ host }) => host) }, fix));
  }
  // A key that is revoked for every selector says on purpose that nobody signs.
  const texts = wildcardTexts.filter((text) => !/^v=DKIM1;\s*p=;?$/i.test(text.trim()));
  if (texts.length > 0) {
    const words = 'Every name below the domain has TXT records: each may be taken for a record of SPF, DKIM or DMARC.';
    found.push(finding('txt_wildcard', domain, words, { records: texts }));
  }
  return found;
}

/** An address as it stands, or in the brackets of an address literal. */
export function isAddressName(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) !== 0;
}
