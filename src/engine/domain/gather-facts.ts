import { reversed } from '../blacklists/targets.js';
import type { MxRecord } from '../ports.js';
import { registered } from '../syntax/registrable.js';
import { readBimi } from './bimi/bimi-record.js';
import { COMMON_SELECTORS, dkimRecordsOf, readDkimKey } from './dkim.js';
import { readDmarc, readStrayDmarc } from './dmarc.js';
import { isAbsence, recordsOf, reverseName } from './domain-dns.js';
import type { DomainFacts, FactDns, FactsAsked, FactsOutside, MailHostFacts, SenderFacts } from './facts.js';
import type { FindingArea } from './finding.js';
import { readReportDestinations } from './report-destinations.js';
import { checkHost } from './spf/check-host.js';
import { readSpfTree } from './spf/spf-tree.js';
import { stsPolicyUrl } from './sts-policy.js';

const MAX_HOSTS = 20;
const MAX_SENDERS = 32;
const MAX_NAMES = 10;
/** Nobody publishes a key under it. */
const WILDCARD_PROBE = 'no-such-selector-4d2a._domainkey';

/** Asks for everything that a domain publishes. Never rejects unless `dns` does. @param outside null: the DNS alone is asked */
export async function gatherFacts(
  { domain, selectors, senders, searchesKeys = true, areas = null }: FactsAsked,
  dns: FactDns,
  outside: FactsOutside | null = null,
): Promise<DomainFacts> {
  const unanswered = new Set<string>();
  const isWanted = (...some: readonly FindingArea[]) => areas === null || some.some((area) => areas.includes(area));
  const texts = async (name: string): Promise<readonly string[]> => {
    const answer = await dns.txt(name);
    if (answer.outcome !== 'found' && !isAbsence(answer)) unanswered.add(name);
    return recordsOf(answer);
  };
  const zone = registered(domain) ?? domain;
  const [mx, address, spf, dmarc, wildcard, sts, tls, dnssec, ns, registration] = await Promise.all([
    dns.mx(domain),
    dns.a(domain),
    readSpfTree(domain, dns),
    readDmarc(domain, dns),
    texts(`${WILDCARD_PROBE}.${domain}`),
    texts(`_mta-sts.${domain}`),
    texts(`_smtp._tls.${domain}`),
    dns.dnssec(domain),
    dns.ns(zone),
    outside !== null && isWanted('registration') ? outside.registration(domain) : null,
  ]);
  if (mx.outcome !== 'found' && !isAbsence(mx)) unanswered.add(domain);
  if (ns.outcome !== 'found' && !isAbsence(ns)) unanswered.add(nameServersOf(zone));
  const hosts = recordsOf(mx)
    .filter(({ exchange }) => exchange !== '')
    .toSorted((a, b) => a.preference - b.preference);
  const all = [...new Set([...senders, ...spf.senders])].slice(0, MAX_SENDERS);
  const hasWildcard = wildcard.length > 0;
  const searched = hasWildcard || !searchesKeys ? [] : COMMON_SELECTORS;
  const asked = selectors.length > 0 ? selectors : searched;
  const mtaSts = sts.filter((text) => /^v\s*=\s*STSv1\s*(;|$)/i.test(text));
  const bimi = await readBimi(domain, dmarc, dns);
  if (bimi.unanswered !== null) unanswered.add(bimi.unanswered);
  const { logoUrl = null, certificateUrl = null } = bimi.record ?? {};
  const [mailHosts, senderFacts, dkim, reportDestinations, strayDmarc, stsPolicy, logo, certificate] =
    await Promise.all([
      Promise.all(
        hosts.slice(0, MAX_HOSTS).map((one) => mailHost(one, dns, isWanted('starttls', 'dane') ? outside : null)),
      ),
      Promise.all(all.map((one) => sender(one, domain, senders.includes(one), dns))),
      Promise.all(asked.map(async (one) => [one, dkimRecordsOf(await texts(`${one}._domainkey.${domain}`))] as const)),
      readReportDestinations(dmarc, dns),
      readStrayDmarc(domain, dns),
      mtaSts.length === 1 && outside !== null && isWanted('mta_sts', 'starttls') ? outside.stsPolicy(domain) : null,
      logoUrl !== null && outside !== null && isWanted('bimi') ? outside.logo(logoUrl) : null,
      certificateUrl !== null && outside !== null && isWanted('bimi') ? outside.markCertificate(certificateUrl) : null,
    ]);
  for (const name of reportDestinations.unanswered) unanswered.add(name);
  if (logo?.outcome === 'unknown') unanswered.add(logoUrl!);
  if (certificate?.outcome === 'unknown') unanswered.add(certificateUrl!);
  if (registration?.outcome === 'unknown') unanswered.add(`registration of ${domain}`);
  if (stsPolicy?.outcome === 'unknown') unanswered.add(stsPolicyUrl(domain));
  for (const { host, startTls } of mailHosts) if (startTls?.outcome === 'unknown') unanswered.add(`smtp://${host}:25`);
  return {
    domain,
    mx: {
      outcome: mx.outcome,
      hosts: mailHosts,
      isNull: mx.outcome === 'found' && hosts.length === 0,
      hasNull: recordsOf(mx).some(({ exchange }) => exchange === ''),
    },
    // Silence is no absence.
    hasAddress: !isAbsence(address),
    spf,
    senders: senderFacts,
    dmarc,
    strayDmarc,
    reportDestinations,
    dkim: {
      asked,
      isGiven: selectors.length > 0,
      keys: dkim.flatMap(([selector, records]) => records.slice(0, 1).map((record) => readDkimKey(selector, record))),
      doubled: dkim.flatMap(([selector, records]) => (records.length > 1 ? [{ selector, records }] : [])),
      missing: dkim.flatMap(([one, records]) =>
        records.length === 0 && !unanswered.has(`${one}._domainkey.${domain}`) ? [one] : [],
      ),
    },
    hasWildcard,
    wildcardTexts: wildcard,
    mtaSts,
    stsPolicy,
    tlsRpt: tls.filter((text) => /^v\s*=\s*TLSRPTv1\s*(;|$)/i.test(text)),
    nameServers: { domain: zone, hosts: recordsOf(ns).slice(0, MAX_HOSTS).toSorted() },
    registration,
    bimi: bimi.record === null ? null : { ...bimi.record, logo, certificate },
    dnssec,
    unanswered: [...unanswered],
  };
}

/** The question about name servers, among those that nobody answered. */
export function nameServersOf(zone: string): string {
  return `name servers of ${zone}`;
}

async function mailHost(
  { exchange: host, preference }: MxRecord,
  dns: FactDns,
  outside: FactsOutside | null,
): Promise<MailHostFacts> {
  const [v4, v6, alias, tlsa] = await Promise.all([
    dns.a(host),
    dns.aaaa(host),
    dns.cname(host),
    dns.tlsa(`_25._tcp.${host}`),
  ]);
  const isAnswered = [v4, v6].every((one) => one.outcome === 'found' || isAbsence(one));
  const addresses = [...recordsOf(v4), ...recordsOf(v6)].toSorted();
  const startTls =
    outside === null || addresses.length === 0
      ? null
      : await outside.startTls(host, [...recordsOf(v4), ...recordsOf(v6)]);
  return { host, preference, addresses, alias: recordsOf(alias)[0] ?? null, isAnswered, tlsa, startTls };
}

async function sender(address: string, domain: string, isGiven: boolean, dns: FactDns): Promise<SenderFacts> {
  const [reverse, { result }] = await Promise.all([
    dns.ptr(reverseName(address, reversed(address))),
    checkHost({ address, domain }, dns),
  ]);
  const names = recordsOf(reverse).slice(0, MAX_NAMES);
  const forward = await Promise.all(
    names.map(async (name) => {
      const answer = address.includes(':') ? await dns.aaaa(name) : await dns.a(name);
      return {
        name,
        isSame: recordsOf(answer).includes(address),
        isAnswered: answer.outcome === 'found' || isAbsence(answer),
      };
    }),
  );
  return {
    address,
    isGiven,
    names,
    forwardNames: forward.flatMap(({ name, isSame }) => (isSame ? [name] : [])),
    isAnswered: (reverse.outcome === 'found' || isAbsence(reverse)) && forward.every((one) => one.isAnswered),
    spf: result,
  };
}
