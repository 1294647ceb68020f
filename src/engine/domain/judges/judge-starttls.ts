import { DAY_MS } from '../../../lib/durations.js';
import type { PresentedTls } from '../../ports.js';
import type { DomainFacts, MailHostFacts } from '../facts.js';
import { critical, type DomainFinding, finding } from '../finding.js';
import { isCovered, readStsPolicy } from '../sts-policy.js';
import { fitsTlsa } from '../tlsa.js';

/** Days before the end at which it becomes more urgent. */
const URGENT_DAYS: readonly number[] = [2, 7, 14];
const OLD_PROTOCOLS: readonly string[] = ['SSLv3', 'TLSv1', 'TLSv1.1'];

/** How each mail host encrypts, where somebody has looked and it has answered. */
export function judgeStartTls(facts: DomainFacts, now: number): DomainFinding[] {
  const isEnforced = enforcesSts(facts);
  return facts.mx.hosts.flatMap((host) => judgeHost(host, facts, isEnforced, now));
}

/** Whether senders that keep to the domain's policy deliver to nobody whose certificate is wrong. */
function enforcesSts({ stsPolicy }: DomainFacts): boolean {
  if (stsPolicy?.outcome !== 'found') return false;
  const reading = readStsPolicy(stsPolicy.text);
  return 'policy' in reading && reading.policy.mode === 'enforce';
}

function judgeHost(one: MailHostFacts, facts: DomainFacts, isEnforced: boolean, now: number): DomainFinding[] {
  const { host, startTls } = one;
  const raised = (found: DomainFinding) => (isEnforced ? critical(found) : found);
  if (startTls?.outcome === 'not_offered')
    return [
      raised(
        finding(
          'starttls_missing',
          host,
          `The mail host ${host} offers no STARTTLS, so all mail to it is unencrypted.`,
          {},
        ),
      ),
    ];
  if (startTls?.outcome === 'failed') {
    const words = `The mail host ${host} offers encryption, and then it fails.`;
    return [raised(finding('starttls_failed', host, words, { detail: startTls.detail }))];
  }
  if (startTls?.outcome !== 'encrypted') return [];
  const { tls } = startTls;
  const findings: DomainFinding[] = [];
  if (OLD_PROTOCOLS.includes(tls.protocol)) {
    const words = `The mail host ${host} encrypts with ${tls.protocol} at best, which is broken; TLSv1.2 is the least now.`;
    findings.push(finding('tls_too_old', host, words, { protocol: tls.protocol }));
  }
  return [...findings, ...judgeCertificate(one, tls, facts, raised, now)];
}

function judgeCertificate(
  { host, tlsa }: MailHostFacts,
  { chain, distrust }: PresentedTls,
  { domain, dnssec }: DomainFacts,
  raised: (found: DomainFinding) => DomainFinding,
  now: number,
): DomainFinding[] {
  const [own] = chain;
  if (own === undefined) return [];
  const findings: DomainFinding[] = [];
  const evidence = {
    names: own.names,
    issuer: own.issuer,
    valid_from: new Date(own.validFrom).toISOString(),
    valid_to: new Date(own.validTo).toISOString(),
  };
  const leftDays = Math.floor((own.validTo - now) / DAY_MS);
  const hasExpired = own.validTo <= now;
  const withinDays = URGENT_DAYS.find((days) => leftDays < days);
  if (hasExpired) {
    const words = `The certificate of ${host} expired on ${evidence.valid_to.slice(0, 10)}.`;
    findings.push(finding('cert_expired', host, words, evidence));
  } else if (withinDays !== undefined) {
    const words = `The certificate of ${host} expires on ${evidence.valid_to.slice(0, 10)}, in less than ${withinDays} days.`;
    findings.push(finding('cert_expires_soon', host, words, { ...evidence, within_days: withinDays }));
  }
  // A key that the DNS vouches for needs neither a name nor an authority (RFC 7672 section 3.1.1).
  // Where the DNS does not answer for such a key, nobody knows.
  const isVouchedFor =
    tlsa === null ? dnssec === 'secure' : tlsa.isAuthentic && fitsTlsa(tlsa.records, chain.slice(0, 1), false);
  const hasName = isCovered(host, own.names);
  if (!hasName && !isVouchedFor) {
    const words = `The certificate of ${host} is for ${own.names.slice(0, 3).join(', ') || 'no name'}, and not for the host.`;
    findings.push(raised(finding('cert_name_mismatch', host, words, evidence)));
  }
  if (distrust !== null && !hasExpired && !isVouchedFor) {
    const words = `No authority that senders know vouches for the certificate of ${host}; mail to ${domain} is encrypted, but senders cannot tell whether it reaches the right server.`;
    findings.push(raised(finding('cert_untrusted', host, words, { ...evidence, why: distrust })));
  }
  return findings;
}
