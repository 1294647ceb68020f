import { DAY_MS } from '../../../lib/durations.js';
import type { PresentedTls } from '../../ports.js';
import type { DomainFacts, MailHostFacts } from '../facts.js';
import { critical, type DomainFinding, finding, txtFix, type DnsFix } from '../finding.js';
import { isSilent } from '../silence.js';
import { fitsTlsa, isUsable, type TlsaRecord, tlsaText } from '../starttls.js';
import { isCovered, readStsPolicy, type StsPolicy, stsPolicyUrl, writeStsPolicy } from '../sts-policy.js';
import { parseTagList, tagOf } from '../tag-list.js';

/** Days before the end at which it becomes more urgent. */
const URGENT_DAYS: readonly number[] = [2, 7, 14];
const OLD_PROTOCOLS: readonly string[] = ['SSLv3', 'TLSv1', 'TLSv1.1'];

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

/** How each mail host encrypts, where somebody has looked and it has answered. */
export function judgeStartTls(facts: DomainFacts, now: number): DomainFinding[] {
  const isEnforced = enforcesSts(facts);
  return facts.mx.hosts.flatMap((host) => judgeTls(host, facts, isEnforced, now));
}

/** Whether senders that keep to the domain's policy deliver to nobody whose certificate is wrong. */
function enforcesSts({ stsPolicy }: DomainFacts): boolean {
  if (stsPolicy?.outcome !== 'found') return false;
  const reading = readStsPolicy(stsPolicy.text);
  return 'policy' in reading && reading.policy.mode === 'enforce';
}

function judgeTls(one: MailHostFacts, facts: DomainFacts, isEnforced: boolean, now: number): DomainFinding[] {
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

/** The TLSA records of mail hosts, and whether the keys that the hosts present fit them. */
export function judgeDane(facts: DomainFacts): DomainFinding[] {
  return facts.mx.hosts.flatMap((host) => judgeRecords(host, facts));
}

function judgeRecords(one: MailHostFacts, { domain, dnssec }: DomainFacts): DomainFinding[] {
  const { host, tlsa, startTls } = one;
  if (tlsa === null || tlsa.records.length === 0) return [];
  const evidence = { records: tlsa.records.map(tlsaText) };
  if (!tlsa.isAuthentic) {
    // A resolver that validates nothing has validated this neither: it says nothing of the zone.
    if (dnssec !== 'secure' && dnssec !== 'insecure') return [];
    const words = `${host} has TLSA records, which count for nothing without DNSSEC.`;
    return [finding('dane_without_dnssec', host, words, evidence)];
  }
  // Senders look at the records only of hosts whose names they have from a signed domain (RFC 7672 section 2.2.1).
  if (dnssec !== 'secure') return [];
  const usable = tlsa.records.filter(isUsable);
  const ignored = pkixUsages(host, tlsa.records);
  if (usable.length === 0 || startTls === null) return ignored;
  return [...ignored, ...judgeUsable(one, domain, usable)];
}

/** Usages 0 and 1 want an authority that senders and mail hosts have in common, which there is none of between mail hosts. */
function pkixUsages(host: string, records: readonly TlsaRecord[]): DomainFinding[] {
  const ignored = records.filter(({ usage }) => usage === 0 || usage === 1).map(tlsaText);
  if (ignored.length === 0) return [];
  const words = `${host} has TLSA records with the usage 0 or 1, which senders of mail ignore: those for mail have 2 or 3.`;
  return [finding('dane_usage', host, words, { records: ignored })];
}

function judgeUsable(
  { host, tlsa, startTls }: MailHostFacts,
  domain: string,
  usable: readonly TlsaRecord[],
): DomainFinding[] {
  if (tlsa === null || startTls === null || startTls.outcome === 'unknown') return [];
  const evidence = { records: tlsa.records.map(tlsaText) };
  const chain = startTls.outcome === 'encrypted' ? startTls.tls.chain : [];
  const [own] = chain;
  const key = own?.keyDigests?.sha256 ?? null;
  const fix = (value: string, why: string): DnsFix => ({
    kind: 'dns',
    action: 'add',
    name: `_25._tcp.${host}.`,
    type: 'TLSA',
    current: null,
    value,
    why,
    confidence: 'needs_you',
  });
  const hasName = own !== undefined && (isCovered(host, own.names) || isCovered(domain, own.names));
  if (!fitsTlsa(usable, chain, hasName)) {
    const words =
      own === undefined
        ? `${host} has TLSA records and does not encrypt: senders that keep to DANE deliver nothing there.`
        : `What ${host} presents fits none of its TLSA records: senders that keep to DANE deliver nothing there.`;
    const why = 'is the key that the host presents; compare it with the key on the host first';
    const presented = { ...evidence, presented_key_sha256: key };
    return [finding('dane_mismatch', host, words, presented, key === null ? null : fix(`3 1 1 ${key}`, why))];
  }
  const different = new Set(usable.map(tlsaText));
  if (different.size > 1) return [];
  const words = `${host} has one TLSA record: when its key changes, senders that use DANE cannot deliver until the old record has left their DNS caches.`;
  const why = 'the next key is published before it is used, two TTLs at least';
  const next = '3 1 1 <SHA-256 of the next key>';
  return [finding('dane_rollover_missing', host, words, evidence, fix(next, why))];
}

/** A policy that is forgotten within a day protects nobody against an attacker who waits (RFC 8461 section 3.2 wants weeks). */
const MIN_MAX_AGE_SECONDS = 86_400;
const GOOD_MAX_AGE_SECONDS = 604_800;

/** The file behind the record of MTA-STS; nothing is said of it where it was not fetched. */
export function judgeStsPolicy({ domain, mx, stsPolicy }: DomainFacts): DomainFinding[] {
  if (stsPolicy === null || stsPolicy.outcome === 'unknown') return [];
  const hosts = mx.hosts.map(({ host }) => host);
  const proposed: StsPolicy = { mode: 'testing', patterns: hosts, maxAgeSeconds: GOOD_MAX_AGE_SECONDS };
  const fix = (current: string | null, policy: StsPolicy, confidence: DnsFix['confidence'], why: string): DnsFix => ({
    kind: 'file',
    action: current === null ? 'add' : 'replace',
    name: stsPolicyUrl(domain),
    type: 'file',
    current,
    value: writeStsPolicy(policy),
    why: `${why}; give the record at _mta-sts.${domain} a new id, or senders do not fetch the new policy`,
    confidence,
  });
  if (stsPolicy.outcome === 'failed') {
    const sentence = `The policy of MTA-STS cannot be fetched: ${stsPolicy.why}.`;
    const evidence = { url: stsPolicyUrl(domain), why: stsPolicy.why };
    const file = fix(null, proposed, 'needs_you', 'begins with testing, which stops no mail');
    return [finding('sts_policy_unreachable', domain, sentence, evidence, hosts.length === 0 ? null : file)];
  }
  const { text } = stsPolicy;
  const reading = readStsPolicy(text);
  const evidence = { url: stsPolicyUrl(domain), policy: text };
  if ('problem' in reading) {
    const file = fix(text, proposed, 'needs_you', 'begins with testing, which stops no mail');
    const sentence = `No sender can use the policy of MTA-STS: ${reading.problem}.`;
    return [finding('sts_policy_syntax', domain, sentence, evidence, hosts.length === 0 ? null : file)];
  }
  const { policy } = reading;
  if (policy.mode === 'none') return [];
  const findings: DomainFinding[] = [];
  const { mediaType } = stsPolicy;
  if (mediaType !== 'text/plain') {
    const sentence = `The policy of MTA-STS is served ${mediaType === null ? 'without a type' : `as ${mediaType}`}: senders may ignore what is not served as text/plain.`;
    findings.push(finding('sts_media_type', domain, sentence, { ...evidence, media_type: mediaType }));
  }
  const uncovered = hosts.filter((host) => !isCovered(host, policy.patterns));
  if (uncovered.length > 0) {
    const patterns = [...policy.patterns, ...uncovered];
    const isEnforced = policy.mode === 'enforce';
    const sentence = `The policy of MTA-STS does not name ${uncovered.join(', ')}: ${isEnforced ? 'senders that keep to it deliver nothing there' : 'senders would deliver nothing there once it is enforced'}.`;
    const file = fix(text, { ...policy, patterns }, 'certain', 'names every mail host that the domain has');
    findings.push(finding('sts_mx_not_covered', domain, sentence, { ...evidence, hosts: uncovered }, file));
  }
  if (policy.mode === 'testing') {
    const patterns = [...policy.patterns, ...uncovered];
    const file = fix(text, { ...policy, patterns, mode: 'enforce' }, 'needs_you', 'once reports show no failure');
    findings.push(
      finding('sts_testing', domain, 'The policy of MTA-STS is being tested: it protects no mail yet.', evidence, file),
    );
  }
  if (policy.maxAgeSeconds < MIN_MAX_AGE_SECONDS) {
    const patterns = [...policy.patterns, ...uncovered];
    const longer = { ...policy, patterns, maxAgeSeconds: GOOD_MAX_AGE_SECONDS };
    findings.push(
      finding(
        'sts_max_age_short',
        domain,
        `Senders forget the policy of MTA-STS after ${policy.maxAgeSeconds} seconds.`,
        evidence,
        fix(text, longer, 'needs_you', 'a week, during which senders hold you to it'),
      ),
    );
  }
  return findings;
}
