import type { DnsAnswer, MxRecord } from '../ports.js';

/** The questions about a domain's records. Names in answers are in lower case, without a dot at the end. */
export interface DomainDns {
  /** Each record's strings joined without a blank. */
  txt(name: string): Promise<DnsAnswer<string>>;
  a(name: string): Promise<DnsAnswer<string>>;
  aaaa(name: string): Promise<DnsAnswer<string>>;
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  /** @param name such as `1.2.0.192.in-addr.arpa` */
  ptr(name: string): Promise<DnsAnswer<string>>;
}

/** Whether the answer says that there is nothing, which is another thing than no answer. */
export function isAbsence({ outcome }: DnsAnswer<unknown>): boolean {
  return outcome === 'nxdomain' || outcome === 'nodata';
}

/** The records of an answer; none when there are none, and when there was no answer. */
export function recordsOf<T>(answer: DnsAnswer<T>): readonly T[] {
  return answer.outcome === 'found' ? answer.records : [];
}

/** The name under which the reverse names of an address stand (RFC 1035 section 3.5, RFC 3596 section 2.5). */
export function reverseName(address: string, reversedAddress: string): string {
  return `${reversedAddress}.${address.includes(':') ? 'ip6' : 'in-addr'}.arpa`;
}
