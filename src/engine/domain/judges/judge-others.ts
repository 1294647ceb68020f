import { withoutTesting } from '../dkim.js';
import type { DomainFacts } from '../facts.js';
import { type DomainFinding, finding, txtFix, critical } from '../finding.js';
import { isSilent } from '../silence.js';
import { parseTagList, tagOf } from '../tag-list.js';
import { DAY_MS } from '../../../lib/durations.js';

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

const CRITICAL_DAYS = 7;
const WARNING_DAYS = 30;
const HOLDS: readonly string[] = ['client hold', 'server hold'];
const ENDING: readonly string[] = ['pending delete', 'redemption period'];

/** What the registry says of the domain; a registry that says nothing is no finding. */
export function judgeRegistration({ registration: look }: DomainFacts, now: number): DomainFinding[] {
  if (look?.outcome !== 'found') return [];
  const { domain, registration } = look;
  const { expiresAt, statuses, registrar } = registration;
  const evidence = {
    statuses,
    registrar,
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
  const findings: DomainFinding[] = [];
  const hold = statuses.find((one) => HOLDS.includes(one));
  if (hold !== undefined) {
    const words = `The registration of ${domain} is on hold (${hold}), so the domain does not resolve.`;
    findings.push(finding('registration_on_hold', domain, words, evidence));
  }
  const ending = statuses.find((one) => ENDING.includes(one));
  if (ending !== undefined) {
    const words = `The registration of ${domain} has ended (${ending}): somebody else can have the domain soon.`;
    return [...findings, finding('registration_ending', domain, words, evidence)];
  }
  if (expiresAt === null) return findings;
  const leftDays = Math.floor((expiresAt - now) / DAY_MS);
  if (leftDays > WARNING_DAYS) return findings;
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  const words =
    expiresAt <= now
      ? `The registration of ${domain} ended on ${day}, if nobody has renewed it.`
      : `The registration of ${domain} ends on ${day}, if nobody renews it.`;
  const found = finding('registration_expires_soon', domain, words, evidence);
  return [...findings, leftDays <= CRITICAL_DAYS ? critical(found) : found];
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
