import { withoutTesting } from '../dkim.js';
import type { DomainFacts } from '../facts.js';
import { type DomainFinding, finding, txtFix } from '../finding.js';
import { isSilent } from '../silence.js';
import { parseTagList, tagOf } from '../tag-list.js';

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

/** How mail gets to the domain under way: MTA-STS, reports about TLS, and DNSSEC. */
export function judgeTransport({ domain, mx, mtaSts, tlsRpt, dnssec, unanswered }: DomainFacts): DomainFinding[] {
  const findings: DomainFinding[] = [];
  const takesMail = mx.hosts.length > 0;
  if (takesMail && mtaSts.length === 0 && !isSilent(unanswered, 'mta_sts', `_mta-sts.${domain}`))
    findings.push(
      finding('sts_missing', domain, 'Nothing says that mail to the domain must be encrypted (MTA-STS).', {}),
    );
  const [sts] = mtaSts;
  const hasId = sts !== undefined && /^[a-z0-9]{1,32}$/i.test(tagOf(parseTagList(sts), 'id') ?? '');
  if (mtaSts.length > 1 || (sts !== undefined && !hasId))
    findings.push(
      finding('sts_syntax', domain, 'The record of MTA-STS cannot be used: it needs one id of letters and digits.', {
        records: mtaSts,
      }),
    );
  const name = `_smtp._tls.${domain}`;
  const report = 'v=TLSRPTv1; rua=mailto:<a mailbox of yours for reports>';
  if (takesMail && tlsRpt.length === 0 && !isSilent(unanswered, 'tls_rpt', name)) {
    const fix = txtFix(name, [null, report], 'needs_you', 'reports show where mail to you could not be encrypted');
    findings.push(finding('tls_rpt_missing', domain, 'Nobody gets reports about failures of TLS.', {}, fix));
  }
  if (tlsRpt.length > 1 || (tlsRpt.length === 1 && !/rua\s*=\s*(mailto|https):/i.test(tlsRpt[0]!))) {
    const fix = txtFix(name, [tlsRpt.join('\n'), report], 'needs_you', 'one record with one rua');
    findings.push(
      finding('tls_rpt_syntax', domain, 'The record of TLS reports cannot be used.', { records: tlsRpt }, fix),
    );
  }
  if (dnssec === 'bogus')
    findings.push(
      finding(
        'dnssec_bogus',
        domain,
        'The DNSSEC signatures of the domain are wrong: resolvers that validate cannot resolve it.',
        {},
      ),
    );
  if (dnssec === 'insecure')
    findings.push(finding('dnssec_unsigned', domain, 'The domain is not signed (DNSSEC).', {}));
  return findings;
}
