import type { FactDns } from '../../engine/domain/facts.js';
import type { DnsAnswer } from '../../mail-dns/domain-dns.js';

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
