import type { FactDns } from '../engine/domain/facts.js';
import type { DnsAnswer } from '../engine/ports.js';
import { type RecordAnswer, RecordResolver } from '../platform/dns/record-resolver.js';
import type { ResolverJudge } from '../resolver/resolver.module.js';

/** Signed, and everybody has it: who does not validate it validates nothing. */
const SIGNED = 'org';
/** What is not believed is not answered: everybody who asks knows what to make of this. */
const NO_ANSWER = { outcome: 'servfail' } as const;

export interface WatchedDns extends FactDns {
  /**
   * Whether the resolver lies is looked for now, before an answer that much hangs on is believed.
   * @returns whether it answers and is believed: what else has no answer is then not its fault
   */
  examine(): Promise<boolean>;
}

/** The questions about a domain, asked by the configured resolvers; what the judge of the resolver does not believe is not answered. */
export function createFactDns(dnsServers: readonly string[], judge: ResolverJudge): WatchedDns {
  const resolver = new RecordResolver(dnsServers);
  const ask = async <T>(question: () => Promise<RecordAnswer<T>>): Promise<RecordAnswer<T>> => {
    const answer = await judge.ask(question);
    return answer.outcome === 'untrusted' ? NO_ANSWER : answer;
  };
  let validates: Promise<boolean | null> | null = null;
  const isValidating = async (): Promise<boolean> => {
    validates ??= ask(() => resolver.ns(SIGNED)).then((known) => (isAnswer(known) ? known.isAuthentic : null));
    const isSo = await validates;
    // Who did not answer is asked again another time.
    if (isSo === null) validates = null;
    return isSo ?? false;
  };
  return {
    examine: () => judge.check(),
    txt: (name) => ask(() => resolver.txt(name)),
    a: (name) => ask(() => resolver.a(name)),
    aaaa: (name) => ask(() => resolver.aaaa(name)),
    mx: async (name) => believable(await judge.askMx(name, () => resolver.mx(name))),
    ptr: (name) => ask(() => resolver.ptr(name)),
    ns: (name) => ask(() => resolver.ns(name)),
    cname: (name) => ask(() => resolver.cname(name)),
    tlsa: async (name) => {
      const answer = await ask(() => resolver.tlsa(name));
      if (!isAnswer(answer)) return null;
      return { records: answer.outcome === 'found' ? answer.records : [], isAuthentic: answer.isAuthentic };
    },
    dnssec: async (domain) => {
      const answer = await ask(() => resolver.a(domain));
      if (isAnswer(answer)) {
        if (answer.isAuthentic) return 'secure';
        return (await isValidating()) ? 'insecure' : 'unknown';
      }
      if (answer.outcome === 'timeout') return 'unknown';
      // What answers only unchecked has signatures that are wrong (RFC 4035 section 5.5).
      return isAnswer(await ask(() => resolver.a(domain, { isUnchecked: true }))) ? 'bogus' : 'unknown';
    },
  };
}

function believable<T>(answer: DnsAnswer<T>): DnsAnswer<T> {
  return answer.outcome === 'untrusted' ? NO_ANSWER : answer;
}

function isAnswer<T>(answer: RecordAnswer<T>): answer is Exclude<RecordAnswer<T>, { outcome: 'servfail' | 'timeout' }> {
  return answer.outcome !== 'servfail' && answer.outcome !== 'timeout';
}
