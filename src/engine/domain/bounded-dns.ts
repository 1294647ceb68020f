import type { DnsAnswer } from '../../mail-dns/domain-dns.js';
import type { FactDns } from './facts.js';

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
