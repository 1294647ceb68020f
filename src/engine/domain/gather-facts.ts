import { reversed } from '../../mail-dns/targets.js';
import {
  type MxRecord,
  type DomainDns,
  isAbsence,
  recordsOf,
  reverseName,
  type DnsAnswer,
} from '../../mail-dns/domain-dns.js';
import { registered } from '../../mail-dns/registrable.js';
import { readBimi } from './bimi-record.js';
import { COMMON_SELECTORS, dkimRecordsOf, readDkimKeyOnce } from './dkim.js';
import { readDmarc, readStrayDmarc, readReportDestinations } from './dmarc.js';
import type { DomainFacts, FactDns, FactsQuery, FactsOutside, MailHostFacts, SenderFacts } from './facts.js';
import type { FindingArea, FindingCode } from './finding.js';
import { isSilent, Silences } from './silence.js';
import { checkHost, type SpfOutcome } from '../../mail-dns/check-host.js';
import { parseSpfOnce } from '../../mail-dns/spf-record.js';
import { readSpfTree } from '../../mail-dns/spf-tree.js';
import { stsPolicyUrl } from './sts-policy.js';

const MAX_HOSTS = 20;
const MAX_SENDERS = 32;
const MAX_NAMES = 10;
/** Nobody publishes a key under it. */
const WILDCARD_PROBE = 'no-such-selector-4d2a._domainkey';

/** What is said of where reports go, and of nothing else. */
const OF_REPORT_DESTINATIONS: readonly FindingCode[] = [
  'dmarc_rua_unauthorised',
  'dmarc_ruf_unauthorised',
  'dmarc_report_domain_no_mail',
];

/** Reads a record that is met again as it was read before. */
export const readOnce = () => ({ parseSpf: parseSpfOnce(), readDkimKey: readDkimKeyOnce() });

/**
 * Asks for everything that a domain publishes. Never rejects unless `dns` does.
 * @param outside null: the DNS alone is asked
 * @param read of all looks at the same domain
 */
export async function gatherFacts(
  { domain, selectors, senders, lastDmarc = null, searchesKeys = true, areas = null }: FactsQuery,
  dns: FactDns,
  outside: FactsOutside | null = null,
  { parseSpf, readDkimKey } = readOnce(),
): Promise<DomainFacts> {
  const silences = new Silences(dns);
  const isWanted = (...some: readonly FindingArea[]) => areas === null || some.some((area) => areas.includes(area));
  const texts = async (name: string, of: FactDns): Promise<readonly string[]> => recordsOf(await of.txt(name));
  // What no caller has named proves nothing when it is not there, so that its silence hides nothing.
  const keysDns = silences.of('dkim', selectors.length > 0);
  const spfDns = silences.of('spf');
  const zone = registered(domain) ?? domain;
  const readingDmarc = readDmarc(domain, dns);
  const [mx, address, spf, dmarc, bimi, wildcard, sts, tls, dnssec, ns, registration] = await Promise.all([
    silences.of('mx').mx(domain),
    dns.a(domain),
    readSpfTree(domain, spfDns, parseSpf),
    readingDmarc,
    readBimi(domain, readingDmarc, silences.of('bimi')),
    texts(`${WILDCARD_PROBE}.${domain}`, silences.of('dkim', false)),
    texts(`_mta-sts.${domain}`, silences.of('mta_sts')),
    texts(`_smtp._tls.${domain}`, silences.of('tls_rpt')),
    dns.dnssec(domain),
    dns.ns(zone),
    outside !== null && isWanted('registration') ? outside.registration(domain) : null,
  ]);
  // Its address matters only where it has no mail host.
  if (isAbsence(mx) && address.outcome !== 'found' && !isAbsence(address)) silences.add('mx', domain);
  if (ns.outcome !== 'found' && !isAbsence(ns)) silences.add('registration', nameServersOf(zone), false);
  const hosts = recordsOf(mx)
    .filter(({ exchange }) => exchange !== '')
    .toSorted((a, b) => a.preference - b.preference);
  const all = [...new Set([...senders, ...spf.senders])].slice(0, MAX_SENDERS);
  const hasWildcard = wildcard.length > 0;
  const searched = hasWildcard || !searchesKeys ? [] : COMMON_SELECTORS;
  const asked = selectors.length > 0 ? selectors : searched;
  const mtaSts = sts.filter((text) => /^v\s*=\s*STSv1\s*(;|$)/i.test(text));
  const { logoUrl = null, certificateUrl = null } = bimi ?? {};
  // Senders ask for TLSA records only behind a signed domain (RFC 7672 section 2.2.1).
  const daneDns = silences.of('dane', dnssec === 'secure');
  const hostDns: FactDns = { ...silences.of('mx'), tlsa: (name) => daneDns.tlsa(name) };
  const reverseDns = silences.of('reverse');
  // To SPF a reverse name that does not answer is one that does not match (RFC 7208 section 5.5).
  const senderDns: FactDns = { ...spfDns, ptr: (name) => dns.ptr(name) };
  const [mailHosts, senderFacts, dkim, reportDestinations, strayDmarc, stsPolicy, logo, certificate] =
    await Promise.all([
      Promise.all(
        hosts.slice(0, MAX_HOSTS).map((one) => mailHost(one, hostDns, isWanted('starttls', 'dane') ? outside : null)),
      ),
      Promise.all(
        all.map((one) => {
          const spf = checkHost({ address: one, domain }, senderDns, parseSpf);
          return sender(one, senders.includes(one), reverseDns, spf);
        }),
      ),
      Promise.all(
        asked.map(async (one) => [one, dkimRecordsOf(await texts(`${one}._domainkey.${domain}`, keysDns))] as const),
      ),
      readReportDestinations(dmarc, dns),
      // At the domain itself a policy is of no use: what hides there makes nothing worse.
      readStrayDmarc(domain, silences.of('dmarc', false, ['dmarc_stray_record'])),
      mtaSts.length === 1 && outside !== null && isWanted('mta_sts', 'starttls') ? outside.stsPolicy(domain) : null,
      logoUrl !== null && outside !== null && isWanted('bimi') ? outside.logo(logoUrl) : null,
      certificateUrl !== null && outside !== null && isWanted('bimi') ? outside.markCertificate(certificateUrl) : null,
    ]);
  for (const { name, isAnswered } of dmarc.steps)
    if (!isAnswered)
      silences.add('dmarc', `_dmarc.${name}`, !dmarc.isAnswered, dmarc.isAnswered ? OF_REPORT_DESTINATIONS : null);
  for (const name of reportDestinations.unanswered) silences.add('dmarc', name, true, OF_REPORT_DESTINATIONS);
  if (logo?.outcome === 'unknown') silences.add('bimi', logoUrl!, false);
  if (certificate?.outcome === 'unknown') silences.add('bimi', certificateUrl!, false);
  if (registration?.outcome === 'unknown') silences.add('registration', `registration of ${domain}`, false);
  if (stsPolicy?.outcome === 'unknown') silences.add('mta_sts', stsPolicyUrl(domain), false);
  for (const { host, startTls } of mailHosts)
    if (startTls?.outcome === 'unknown')
      for (const area of ['starttls', 'dane'] as const) silences.add(area, `smtp://${host}:25`, false);
  const unanswered = silences.all;
  const keys = dkim.flatMap(([selector, records]) => records.slice(0, 1).map((one) => readDkimKey(selector, one)));
  return {
    domain,
    isMissing:
      mx.outcome === 'nxdomain' &&
      address.outcome === 'nxdomain' &&
      unanswered.every(({ isOpen }) => !isOpen) &&
      // Some name servers deny a name and have others below it (RFC 8020 says that there are none).
      [spf.records, dmarc.steps[0]?.records ?? [], wildcard, sts, tls, keys].every((found) => found.length === 0),
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
    lastDmarc,
    strayDmarc,
    reportDestinations,
    dkim: {
      asked,
      isGiven: selectors.length > 0,
      keys,
      doubled: dkim.flatMap(([selector, records]) => (records.length > 1 ? [{ selector, records }] : [])),
      missing: dkim.flatMap(([one, records]) =>
        records.length === 0 && !isSilent(unanswered, 'dkim', `${one}._domainkey.${domain}`) ? [one] : [],
      ),
    },
    hasWildcard,
    wildcardTexts: wildcard,
    mtaSts,
    stsPolicy,
    tlsRpt: tls.filter((text) => /^v\s*=\s*TLSRPTv1\s*(;|$)/i.test(text)),
    nameServers: { domain: zone, hosts: recordsOf(ns).slice(0, MAX_HOSTS).toSorted() },
    registration,
    bimi: bimi === null ? null : { ...bimi, logo, certificate },
    dnssec,
    unanswered,
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

async function sender(
  address: string,
  isGiven: boolean,
  dns: DomainDns,
  checking: Promise<SpfOutcome>,
): Promise<SenderFacts> {
  const [reverse, { result }] = await Promise.all([dns.ptr(reverseName(address, reversed(address))), checking]);
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

/** Somebody's record may lead to many names; no honest domain needs as many as this. */
const MAX_QUESTIONS = 1_000;
const SILENCE: DnsAnswer<never> = { outcome: 'timeout' };

/**
 * The DNS for one check: it asks each question once, so that all parts of the check see the same answer, and gives no answer to what is
 * asked or still open when the time is over, and to more than a bounded number of questions.
 * @param over keeps when the time of the check is over
 */
export function boundedDns(dns: FactDns, over: Promise<unknown>): FactDns {
  const asked = new Map<string, Promise<unknown>>();
  let isOver = false;
  void over.then(() => (isOver = true));
  const once = <T>(key: string, otherwise: T, ask: () => Promise<T>): Promise<T> => {
    const known = asked.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    if (isOver || asked.size >= MAX_QUESTIONS) return Promise.resolve(otherwise);
    const answer = Promise.race([ask(), over.then(() => otherwise)]);
    asked.set(key, answer);
    return answer;
  };
  return {
    txt: (name) => once(`txt ${name}`, SILENCE, () => dns.txt(name)),
    a: (name) => once(`a ${name}`, SILENCE, () => dns.a(name)),
    aaaa: (name) => once(`aaaa ${name}`, SILENCE, () => dns.aaaa(name)),
    mx: (name) => once(`mx ${name}`, SILENCE, () => dns.mx(name)),
    ptr: (name) => once(`ptr ${name}`, SILENCE, () => dns.ptr(name)),
    ns: (name) => once(`ns ${name}`, SILENCE, () => dns.ns(name)),
    cname: (name) => once(`cname ${name}`, SILENCE, () => dns.cname(name)),
    tlsa: (name) => once(`tlsa ${name}`, null, () => dns.tlsa(name)),
    dnssec: (domain) => once(`dnssec ${domain}`, 'unknown', () => dns.dnssec(domain)),
  };
}
