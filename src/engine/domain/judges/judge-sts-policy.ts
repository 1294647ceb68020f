import type { DomainFacts } from '../facts.js';
import { type DnsFix, type DomainFinding, finding } from '../finding.js';
import { isCovered, readStsPolicy, type StsPolicy, stsPolicyUrl, writeStsPolicy } from '../sts-policy.js';

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
