import type { DomainFacts } from '../facts.js';
import { type DomainFinding, finding, txtFix } from '../finding.js';
import { parseTagList } from '../tag-list.js';

/** What keys say of themselves that keeps receivers from using them: hash algorithms, services, and company under one selector. */
export function judgeDkimTags({ domain, dkim }: DomainFacts): DomainFinding[] {
  const doubled = dkim.doubled.map(({ selector, records }) => {
    const words = `There are ${records.length} keys under ${selector}, and each receiver takes whichever comes first.`;
    return finding('dkim_multiple_keys', selector, words, { records });
  });
  const single = dkim.keys.flatMap((key) => {
    const { selector, record, hashes, services } = key;
    if (key.isRevoked || key.problem !== null) return [];
    const found: DomainFinding[] = [];
    if (hashes !== null && !hashes.includes('sha256')) {
      const value = parseTagList(record)
        .tags.map(([name, text]) => `${name}=${name === 'h' ? 'sha256' : text}`)
        .join('; ');
      const fix = txtFix(
        `${selector}._domainkey.${domain}`,
        [record, value],
        'needs_you',
        'sign with rsa-sha256 first',
      );
      const words = `The key ${selector} is for ${hashes.join(', ') || 'no hash'} alone (h=): receivers reject signatures made with it.`;
      found.push(finding('dkim_key_without_sha256', selector, words, { record, hashes }, fix));
    }
    // Keys that are found by themselves may be for TLS reports on purpose (RFC 8460 section 3).
    const isForReports = !dkim.isGiven && services?.includes('tlsrpt') === true;
    if (services !== null && !services.includes('*') && !services.includes('email') && !isForReports) {
      const words = `The key ${selector} is for ${services.join(', ') || 'no service'} (s=), and not for mail: receivers ignore it.`;
      found.push(finding('dkim_key_not_for_mail', selector, words, { record, services }));
    }
    return found;
  });
  return [...doubled, ...single];
}
