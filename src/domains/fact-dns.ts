import type { FactDns } from '../engine/domain/facts.js';
import { type RecordAnswer, RecordResolver } from '../platform/dns/record-resolver.js';

/** Signed, and everybody has it: who does not validate it validates nothing. */
const SIGNED = 'org';

/** The questions about a domain, asked by the configured resolvers. @param servers as in `DNS_SERVERS` */
export function createFactDns(servers: readonly string[]): FactDns {
  const resolver = new RecordResolver(servers);
  let validates: Promise<boolean> | null = null;
  return {
    txt: (name) => resolver.txt(name),
    a: (name) => resolver.a(name),
    aaaa: (name) => resolver.aaaa(name),
    mx: (name) => resolver.mx(name),
    ptr: (name) => resolver.ptr(name),
    ns: (name) => resolver.ns(name),
    cname: (name) => resolver.cname(name),
    tlsa: async (name) => {
      const answer = await resolver.tlsa(name);
      if (!isAnswer(answer)) return null;
      return { records: answer.outcome === 'found' ? answer.records : [], isAuthentic: answer.isAuthentic };
    },
    dnssec: async (domain) => {
      const answer = await resolver.a(domain);
      if (isAnswer(answer)) {
        if (answer.isAuthentic) return 'secure';
        validates ??= resolver.ns(SIGNED).then((known) => isAnswer(known) && known.isAuthentic);
        return (await validates) ? 'insecure' : 'unknown';
      }
      if (answer.outcome === 'timeout') return 'unknown';
      // What answers only unchecked has signatures that are wrong (RFC 4035 section 5.5).
      return isAnswer(await resolver.a(domain, { isUnchecked: true })) ? 'bogus' : 'unknown';
    },
  };
}

function isAnswer<T>(answer: RecordAnswer<T>): answer is Exclude<RecordAnswer<T>, { outcome: 'servfail' | 'timeout' }> {
  return answer.outcome !== 'servfail' && answer.outcome !== 'timeout';
}
