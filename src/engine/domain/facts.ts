import { reversed } from '../blacklists/targets.js';
import type { DnsAnswer, MxRecord } from '../ports.js';
import { COMMON_SELECTORS, type DkimKey, dkimRecordsOf, readDkimKey } from './dkim.js';
import { type DmarcFacts, foreignReportDomains, readDmarc } from './dmarc.js';
import { type DomainDns, isAbsence, recordsOf, reverseName } from './domain-dns.js';
import { checkHost, type SpfResult } from './spf/check-host.js';
import { type StsFetch, stsPolicyUrl } from './sts-policy.js';
import { readSpfTree, type SpfTree } from './spf/spf-tree.js';
import { parseTagList, tagOf } from './tag-list.js';

/** Further questions, which only some resolvers can answer. */
export interface FactDns extends DomainDns {
  cname(name: string): Promise<DnsAnswer<string>>;
  /** How many TLSA records a name has; null: that could not be told. */
  tlsa(name: string): Promise<{ readonly count: number; readonly isAuthentic: boolean } | null>;
  /** Whether the resolver has validated the domain; `bogus`: it answers only when told not to. */
  dnssec(domain: string): Promise<'secure' | 'insecure' | 'bogus' | 'unknown'>;
}

/** What is asked of others than the DNS. */
export interface FactsOutside {
  /** The policy of MTA-STS. Never rejects. */
  stsPolicy(domain: string): Promise<StsFetch>;
}

export interface FactsAsked {
  readonly domain: string;
  /** Empty: those that mail services use. */
  readonly selectors: readonly string[];
  /** False: without a selector no key is looked for, because somebody has done so lately. */
  readonly searchesKeys?: boolean;
  /** Addresses that send the domain's mail. */
  readonly senders: readonly string[];
}

export interface MailHostFacts {
  readonly host: string;
  readonly preference: number;
  readonly addresses: readonly string[];
  readonly alias: string | null;
  /** False: the DNS did not answer for it. */
  readonly isAnswered: boolean;
  readonly tlsa: { readonly count: number; readonly isAuthentic: boolean } | null;
}

export interface SenderFacts {
  readonly address: string;
  /** It was named by the caller, and does not only stand in the record. */
  readonly isGiven: boolean;
  readonly names: readonly string[];
  readonly forwardNames: readonly string[];
  readonly isAnswered: boolean;
  readonly spf: SpfResult;
}

/** What a domain publishes about its mail. */
export interface DomainFacts {
  readonly domain: string;
  readonly mx: {
    readonly outcome: DnsAnswer<MxRecord>['outcome'];
    readonly hosts: readonly MailHostFacts[];
    readonly isNull: boolean;
  };
  readonly hasAddress: boolean;
  readonly spf: SpfTree;
  readonly senders: readonly SenderFacts[];
  readonly dmarc: DmarcFacts;
  /** Destinations of reports that have not agreed to them. */
  readonly unauthorisedReports: readonly string[];
  readonly dkim: {
    readonly asked: readonly string[];
    readonly isGiven: boolean;
    readonly keys: readonly DkimKey[];
    readonly missing: readonly string[];
  };
  /** Every name of the domain has TXT records, so that found ones prove little. */
  readonly hasWildcard: boolean;
  readonly mtaSts: readonly string[];
  /** Null: not fetched, since no record promises one or nobody could fetch it. */
  readonly stsPolicy: StsFetch | null;
  readonly tlsRpt: readonly string[];
  readonly dnssec: 'secure' | 'insecure' | 'bogus' | 'unknown';
  /** Names for which the DNS did not answer: of them nothing is said. */
  readonly unanswered: readonly string[];
}

const MAX_HOSTS = 20;
const MAX_SENDERS = 32;
const MAX_NAMES = 10;
/** Nobody publishes a key under it. */
const WILDCARD_PROBE = 'no-such-selector-4d2a._domainkey';

/** Asks for everything that a domain publishes. Never rejects unless `dns` does. @param outside null: the DNS alone is asked */
export async function gatherFacts(
  { domain, selectors, senders, searchesKeys = true }: FactsAsked,
  dns: FactDns,
  outside: FactsOutside | null = null,
): Promise<DomainFacts> {
  const unanswered = new Set<string>();
  const texts = async (name: string): Promise<readonly string[]> => {
    const answer = await dns.txt(name);
    if (answer.outcome !== 'found' && !isAbsence(answer)) unanswered.add(name);
    return recordsOf(answer);
  };
  const [mx, address, spf, dmarc, wildcard, sts, tls, dnssec] = await Promise.all([
    dns.mx(domain),
    dns.a(domain),
    readSpfTree(domain, dns),
    readDmarc(domain, dns),
    texts(`${WILDCARD_PROBE}.${domain}`),
    texts(`_mta-sts.${domain}`),
    texts(`_smtp._tls.${domain}`),
    dns.dnssec(domain),
  ]);
  if (mx.outcome !== 'found' && !isAbsence(mx)) unanswered.add(domain);
  const hosts = recordsOf(mx)
    .filter(({ exchange }) => exchange !== '')
    .toSorted((a, b) => a.preference - b.preference);
  const all = [...new Set([...senders, ...spf.senders])].slice(0, MAX_SENDERS);
  const hasWildcard = wildcard.length > 0;
  const searched = hasWildcard || !searchesKeys ? [] : COMMON_SELECTORS;
  const asked = selectors.length > 0 ? selectors : searched;
  const rua = dmarc.record === null ? null : tagOf(parseTagList(dmarc.record), 'rua');
  const foreign = rua === null ? [] : foreignReportDomains(rua, dmarc.organizationalDomain);
  const mtaSts = sts.filter((text) => /^v\s*=\s*STSv1\s*(;|$)/i.test(text));
  const [mailHosts, senderFacts, dkim, agreed, stsPolicy] = await Promise.all([
    Promise.all(hosts.slice(0, MAX_HOSTS).map((one) => mailHost(one, dns))),
    Promise.all(all.map((one) => sender(one, domain, senders.includes(one), dns))),
    Promise.all(asked.map(async (one) => [one, dkimRecordsOf(await texts(`${one}._domainkey.${domain}`))] as const)),
    Promise.all(foreign.map((one) => texts(`${dmarc.foundAt}._report._dmarc.${one}`))),
    mtaSts.length === 1 && outside !== null ? outside.stsPolicy(domain) : null,
  ]);
  if (stsPolicy?.outcome === 'unknown') unanswered.add(stsPolicyUrl(domain));
  return {
    domain,
    mx: { outcome: mx.outcome, hosts: mailHosts, isNull: mx.outcome === 'found' && hosts.length === 0 },
    // Silence is no absence.
    hasAddress: !isAbsence(address),
    spf,
    senders: senderFacts,
    dmarc,
    unauthorisedReports: foreign.filter(
      (one, index) =>
        !unanswered.has(`${dmarc.foundAt}._report._dmarc.${one}`) &&
        !agreed[index]!.some((text) => /^v\s*=\s*DMARC1/.test(text)),
    ),
    dkim: {
      asked,
      isGiven: selectors.length > 0,
      keys: dkim.flatMap(([selector, records]) => records.slice(0, 1).map((record) => readDkimKey(selector, record))),
      missing: dkim.flatMap(([one, records]) =>
        records.length === 0 && !unanswered.has(`${one}._domainkey.${domain}`) ? [one] : [],
      ),
    },
    hasWildcard,
    mtaSts,
    stsPolicy,
    tlsRpt: tls.filter((text) => /^v\s*=\s*TLSRPTv1\s*(;|$)/i.test(text)),
    dnssec,
    unanswered: [...unanswered],
  };
}

async function mailHost({ exchange: host, preference }: MxRecord, dns: FactDns): Promise<MailHostFacts> {
  const [v4, v6, alias, tlsa] = await Promise.all([
    dns.a(host),
    dns.aaaa(host),
    dns.cname(host),
    dns.tlsa(`_25._tcp.${host}`),
  ]);
  const isAnswered = [v4, v6].every((one) => one.outcome === 'found' || isAbsence(one));
  const addresses = [...recordsOf(v4), ...recordsOf(v6)].toSorted();
  return { host, preference, addresses, alias: recordsOf(alias)[0] ?? null, isAnswered, tlsa };
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
