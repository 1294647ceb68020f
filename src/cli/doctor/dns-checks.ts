import { type CheckResult, fail, pass, skipped } from './check-result.js';
import { parseTagList, tagOf } from '../../engine/domain/tag-list.js';
import { type DnsAnswer, type DomainDns, isAbsence, reverseName } from '../../mail-dns/domain-dns.js';
import { reversed } from '../../mail-dns/targets.js';
import type { ResolverFinding } from '../../mail-dns/resolver-check.js';

/** The result of a look-up. `none`: the name or such records do not exist. `unanswered`: no server answered. */
export type CheckedAnswer<T> =
  | { readonly outcome: 'found'; readonly records: readonly T[] }
  | { readonly outcome: 'none' }
  | { readonly outcome: 'unanswered'; readonly why: string };

/** The questions that an examination of a sending identity asks. Names come back in lower case without a dot at the end. */
export interface DoctorDns {
  addresses(name: string): Promise<CheckedAnswer<string>>;
  /** The names of an address (PTR). */
  names(address: string): Promise<CheckedAnswer<string>>;
  /** The mail hosts in the order of preference; the exchange of a null MX is empty. */
  mailHosts(domain: string): Promise<CheckedAnswer<string>>;
  /** Each record's strings joined. */
  texts(domain: string): Promise<CheckedAnswer<string>>;
}

/** @param dns as sources are looked at by */
export function createDoctorDns(dns: DomainDns): DoctorDns {
  return {
    addresses: async (name) => {
      const [v4, v6] = (await Promise.all([dns.a(name), dns.aaaa(name)])).map(checkedAnswer) as [
        CheckedAnswer<string>,
        CheckedAnswer<string>,
      ];
      if (v4.outcome === 'found' && v6.outcome === 'found')
        return { outcome: 'found', records: [...v4.records, ...v6.records] };
      // One family's addresses are an answer; without any, a failure says more than an absence.
      return [v4, v6].find(({ outcome }) => outcome === 'found') ?? (v4.outcome === 'none' ? v6 : v4);
    },
    names: async (address) => checkedAnswer(await dns.ptr(reverseName(address, reversed(address)))),
    mailHosts: async (domain) => {
      const hosts = checkedAnswer(await dns.mx(domain));
      if (hosts.outcome !== 'found') return hosts;
      const records = hosts.records.toSorted((a, b) => a.preference - b.preference).map(({ exchange }) => exchange);
      return { outcome: 'found', records };
    },
    texts: async (domain) => checkedAnswer(await dns.txt(domain)),
  };
}

function checkedAnswer<T>(answer: DnsAnswer<T>): CheckedAnswer<T> {
  if (answer.outcome === 'found') return answer;
  return isAbsence(answer) ? { outcome: 'none' } : { outcome: 'unanswered', why: answer.outcome };
}

/** Whether the resolver tells the truth: behind captive portals and closed networks, resolvers answer alike for every name. */
export function examineResolver(finding: ResolverFinding | null, knownDomains: readonly string[]): CheckResult {
  const known = knownDomains.join(', ');
  switch (finding) {
    case 'honest':
      return pass('dns', `the resolver knows ${known}, and no made-up name`);
    case 'denies':
      return fail(
        'dns',
        `the resolver says that none of ${known} exists`,
        'Set DNS_SERVERS to a resolver that reaches the internet or, where the DNS has no names of it, DNS_KNOWN_DOMAINS to domains of yours. Until then verdicts are unknown, dns_error.',
      );
    case 'makes_up':
      return fail(
        'dns',
        'the resolver knows a name that nobody has registered, as behind a login page or with a provider that sells mistyped names',
        'Set DNS_SERVERS to a resolver of your own. Until then verdicts are unknown, dns_error.',
      );
    case null:
      return skipped(
        'dns',
        `the DNS did not answer for ${known} and a made-up name`,
        'Does DNS_SERVERS name a resolver that runs?',
      );
  }
}

/** Nobody's: only a record for all names answers for it. */
const ANY_DOMAIN = 'mailsonde-doctor.example.com';

/**
 * Whether we may receive the reports of other domains: who reports asks the host of the address, and sends nothing without its consent
 * (RFC 9990, "Verifying External Destinations"). @param inboundDomain as in `INBOUND_DOMAIN`
 */
export async function examineReportPermission(inboundDomain: string, dns: DoctorDns): Promise<CheckResult> {
  if (/(?:^|\.)localhost$/.test(inboundDomain))
    return skipped(
      'reports',
      `not tried: ${inboundDomain} is this machine`,
      'Set INBOUND_DOMAIN to receive DMARC reports.',
    );
  const name = `*._report._dmarc.${inboundDomain}`;
  const texts = await dns.texts(`${ANY_DOMAIN}._report._dmarc.${inboundDomain}`);
  if (texts.outcome === 'unanswered') return skipped('reports', `the DNS did not answer for ${name}: ${texts.why}`);
  const record =
    texts.outcome === 'found' ? texts.records.find((text) => tagOf(parseTagList(text), 'v') === 'DMARC1') : undefined;
  if (record !== undefined) return pass('reports', `${name}: ${record}`);
  return fail(
    'reports',
    `${name} has no record that allows it, so that nobody sends us the DMARC reports of other domains`,
    `Publish a TXT record at ${name}: v=DMARC1`,
  );
}
