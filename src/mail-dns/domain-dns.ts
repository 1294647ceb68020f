import type { Clock } from '../lib/clock.js';

/**
 * One DNS question's answer. The outcomes are different facts: only `nxdomain` and `nodata` may ever make an address
 * invalid; a failure says nothing about it.
 */
export type DnsAnswer<T> =
  | { readonly outcome: 'found'; readonly records: readonly T[]; readonly ttlSeconds: number }
  | { readonly outcome: 'nxdomain' | 'nodata' | DnsFailure };

/** `servfail`: also REFUSED and malformed answers. `untrusted`: the resolver is known to lie, so its answer is none. */
export type DnsFailure = 'servfail' | 'timeout' | 'untrusted';

export interface MxRecord {
  /** Lower-case, no trailing dot; empty for a null MX (RFC 7505). */
  readonly exchange: string;
  readonly preference: number;
}

/**
 * Whose question it is. Questions of lists, which have a turn, and those of callers that wait behind no list, whose turn is null, wait apart
 * from each other, and both take turns by account. Default: the account of a list is its turn; a single question without an account is our own.
 */
export type Whose = readonly [turn?: string | null, account?: string | null];

/** Never rejects: every failure is an outcome. */
export interface Resolver {
  mx(domain: string, ...whose: Whose): Promise<DnsAnswer<MxRecord>>;
  /** IPv4 addresses. */
  a(host: string, ...whose: Whose): Promise<DnsAnswer<string>>;
  /** IPv6 addresses. */
  aaaa(host: string, ...whose: Whose): Promise<DnsAnswer<string>>;
}

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

export function isFound({ outcome }: DnsAnswer<unknown>): boolean {
  return outcome === 'found';
}

/** The records of an answer; none when there are none, and when there was no answer. */
export function recordsOf<T>(answer: DnsAnswer<T>): readonly T[] {
  return answer.outcome === 'found' ? answer.records : [];
}

/** `timeout` when there is no answer by then; it may still come. */
export function within<Answer extends DnsAnswer<unknown>>(
  asked: Promise<Answer>,
  ms: number,
  clock: Clock,
): Promise<Answer | { readonly outcome: 'timeout' }> {
  return new Promise((resolve) => {
    const cancelTimer = clock.after(ms, () => resolve({ outcome: 'timeout' }));
    void asked.then(resolve).finally(cancelTimer);
  });
}

/** The name under which the reverse names of an address stand (RFC 1035 section 3.5, RFC 3596 section 2.5). */
export function reverseName(address: string, reversedAddress: string): string {
  return `${reversedAddress}.${address.includes(':') ? 'ip6' : 'in-addr'}.arpa`;
}
