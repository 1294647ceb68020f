import { withoutTesting } from '../dkim.js';
import type { DomainFacts } from '../facts.js';
import { type DomainFinding, finding, txtFix } from '../finding.js';
import { parseTagList } from '../tag-list.js';

const WEAK_BITS = 1_024;
const STRONG_BITS = 2_048;

export function judgeDkim({ domain, dkim }: DomainFacts): DomainFinding[] {
  const missing = dkim.isGiven ? dkim.missing : [];
  const gone = missing.map((selector) =>
    finding('dkim_key_gone', selector, `There is no key ${selector}: mail that is signed with it fails.`, {
      name: `${selector}._domainkey.${domain}`,
    }),
  );
  return [...gone, ...dkim.keys.flatMap((key) => judgeKey(domain, key))];
}

function judgeKey(domain: string, key: DomainFacts['dkim']['keys'][number]): DomainFinding[] {
  const { selector, record, bits } = key;
  const evidence = { record };
  if (key.problem !== null)
    return [finding('dkim_key_syntax', selector, `No receiver can use the key ${selector}: ${key.problem}.`, evidence)];
  if (key.isRevoked) return [finding('dkim_revoked', selector, `The key ${selector} is revoked.`, evidence)];
  const findings: DomainFinding[] = [];
  if (bits !== null && bits < WEAK_BITS)
    findings.push(
      finding('dkim_key_under_1024', selector, `The key ${selector} has ${bits} bits, and receivers ignore it.`, {
        ...evidence,
        bits,
      }),
    );
  else if (bits !== null && bits < STRONG_BITS)
    findings.push(
      finding('dkim_key_1024', selector, `The key ${selector} has ${bits} bits; ${STRONG_BITS} are the measure now.`, {
        ...evidence,
        bits,
      }),
    );
  if (key.isTesting) {
    const fix = txtFix(
      `${selector}._domainkey.${domain}`,
      [record, withoutTesting(record)],
      'certain',
      'drops the flag for tests',
    );
    findings.push(
      finding('dkim_testing', selector, `The key ${selector} says that it is being tested (t=y).`, evidence, fix),
    );
  }
  return findings;
}

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
