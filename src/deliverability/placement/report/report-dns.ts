import type { FactDns } from '../../../engine/domain/facts.js';
import type { DnsAnswer } from '../../../mail-dns/domain-dns.js';

/** What a report asks of the DNS. */
export type ReportDns = Pick<FactDns, 'txt' | 'a' | 'aaaa' | 'mx' | 'ptr' | 'cname'>;

/** Answers as Node's own resolver gives them, which is what mailauth takes; every failure is an error with a `code`. */
export function resolverFor(dns: ReportDns): (name: string, type: string) => Promise<string[][] | string[]> {
  return async (name, type) => {
    const answer = await ask(dns, name, type);
    if (answer.outcome === 'found') return answer.records as string[] | string[][];
    throw Object.assign(new Error(`${type} was answered ${answer.outcome}`), { code: CODES[answer.outcome] });
  };
}

const CODES = {
  nxdomain: 'ENOTFOUND',
  nodata: 'ENODATA',
  servfail: 'ESERVFAIL',
  timeout: 'ETIMEOUT',
  untrusted: 'ESERVFAIL',
} as const;

/** mailauth asks for keys, policies, and whether a name is there at all. */
async function ask(dns: ReportDns, name: string, type: string): Promise<DnsAnswer<string | string[]>> {
  if (type === 'A') return dns.a(name);
  if (type === 'CNAME') return dns.cname(name);
  if (type !== 'TXT') return { outcome: 'nodata' };
  const answer = await dns.txt(name);
  return answer.outcome === 'found' ? { ...answer, records: answer.records.map((text) => [text]) } : answer;
}

/** How many questions had no answer. */
export interface DnsTally {
  silent: number;
}

/** The same DNS, which counts by the way. */
export function talliedDns(dns: FactDns, tally: DnsTally): FactDns {
  const tallied =
    <T>(ask: (name: string) => Promise<DnsAnswer<T>>) =>
    async (name: string): Promise<DnsAnswer<T>> => {
      const answer = await ask(name);
      const isAnswered = answer.outcome === 'found' || answer.outcome === 'nxdomain' || answer.outcome === 'nodata';
      if (!isAnswered) tally.silent += 1;
      return answer;
    };
  return {
    txt: tallied((name) => dns.txt(name)),
    a: tallied((name) => dns.a(name)),
    aaaa: tallied((name) => dns.aaaa(name)),
    mx: tallied((name) => dns.mx(name)),
    ptr: tallied((name) => dns.ptr(name)),
    ns: tallied((name) => dns.ns(name)),
    cname: tallied((name) => dns.cname(name)),
    tlsa: (name) => dns.tlsa(name),
    dnssec: (domain) => dns.dnssec(domain),
  };
}
