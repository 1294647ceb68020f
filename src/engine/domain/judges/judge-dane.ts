import type { DomainFacts, MailHostFacts } from '../facts.js';
import { type DnsFix, type DomainFinding, finding } from '../finding.js';
import { isCovered } from '../sts-policy.js';
import { fitsTlsa, isUsable, type TlsaRecord, tlsaText } from '../tlsa.js';

/** The TLSA records of mail hosts, and whether the keys that the hosts present fit them. */
export function judgeDane(facts: DomainFacts): DomainFinding[] {
  return facts.mx.hosts.flatMap((host) => judgeHost(host, facts));
}

function judgeHost(one: MailHostFacts, { domain, dnssec }: DomainFacts): DomainFinding[] {
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
