import { type Timer, withTimeLimit } from '../../lib/clock.js';
import { boundedDns } from '../../engine/domain/gather-facts.js';
import type { FactDns } from '../../engine/domain/facts.js';
import { registered } from '../../mail-dns/registrable.js';
import { type RecordAnswer, RecordResolver } from '../../platform/dns/record-resolver.js';
import type { ResolverJudge } from '../../resolver/resolver.module.js';

/** Signed, and everybody has it: who does not validate it validates nothing. */
const SIGNED = 'org';
/** Unchecked, checked, checked, unchecked: a name server that fails every other time fails one of each. */
const REPEATS = [true, false, false, true];
/** So many names are a zone of their own at most, from a domain upwards. */
const MAX_ZONES = 5;
/** What is not believed is not answered: everybody who asks knows what to make of this. */
const NO_ANSWER = { outcome: 'servfail' } as const;

export interface WatchedDns extends FactDns {
  /**
   * Whether the resolver lies is looked for now, before an answer that much hangs on is believed.
   * @returns whether it answers and is believed: what else has no answer is then not its fault
   */
  examine(): Promise<boolean>;
  /**
   * The same questions, asked for an account: those of one wait for no other's silent name servers.
   * @param onUntrusted is called with each name of which the judge of the resolver did not believe an answer
   */
  of(account: string, onUntrusted?: (name: string) => void): FactDns;
}

/** The questions about a domain, asked by the configured resolvers; what the judge of the resolver does not believe is not answered. */
export function createFactDns(dnsServers: readonly string[], judge: ResolverJudge): WatchedDns {
  const resolver = new RecordResolver(dnsServers);
  const ask = async <T>(
    question: () => Promise<RecordAnswer<T>>,
    onUntrusted = (): void => {},
  ): Promise<RecordAnswer<T>> => {
    const answer = await judge.ask(question);
    if (answer.outcome !== 'untrusted') return answer;
    onUntrusted();
    return NO_ANSWER;
  };
  let validates: Promise<boolean | null> | null = null;
  const isValidating = async (): Promise<boolean> => {
    validates ??= ask(() => resolver.ns(SIGNED, { account: null })).then((known) =>
      isAnswer(known) ? known.isAuthentic : null,
    );
    const isSo = await validates;
    // Who did not answer is asked again another time.
    if (isSo === null) validates = null;
    return isSo ?? false;
  };
  /** Whether the parent of the zone that a domain is in has a DS record for it: then its answers must be signed. */
  const isVouchedFor = async (domain: string, account: string): Promise<boolean> => {
    const top = registered(domain) ?? domain;
    // The name of the zone: the deepest one with name servers of its own.
    for (let zone = domain, looks = 0; looks < MAX_ZONES; zone = zone.slice(zone.indexOf('.') + 1), looks += 1) {
      const ds = await ask(() => resolver.ds(zone, { isUnchecked: true, account }));
      if (!isAnswer(ds) || ds.outcome === 'found') return ds.outcome === 'found';
      const ns = await ask(() => resolver.ns(zone, { isUnchecked: true, account }));
      if (!isAnswer(ns) || ns.outcome === 'found' || zone === top) return false;
    }
    return false;
  };
  const of = (account: string, onUntrusted: (name: string) => void = () => {}): FactDns => {
    const own = <T>(name: string, question: () => Promise<RecordAnswer<T>>) => ask(question, () => onUntrusted(name));
    return {
      txt: (name) => own(name, () => resolver.txt(name, { account })),
      a: (name) => own(name, () => resolver.a(name, { account })),
      aaaa: (name) => own(name, () => resolver.aaaa(name, { account })),
      mx: async (name) => {
        const answer = await judge.askMx(name, () => resolver.mx(name, { account }));
        if (answer.outcome !== 'untrusted') return answer;
        onUntrusted(name);
        return NO_ANSWER;
      },
      ptr: (name) => own(name, () => resolver.ptr(name, { account })),
      ns: (name) => own(name, () => resolver.ns(name, { account })),
      cname: (name) => own(name, () => resolver.cname(name, { account })),
      tlsa: async (name) => {
        const answer = await own(name, () => resolver.tlsa(name, { account }));
        if (!isAnswer(answer)) return null;
        return { records: answer.outcome === 'found' ? answer.records : [], isAuthentic: answer.isAuthentic };
      },
      dnssec: async (domain) => {
        const answer = await own(domain, () => resolver.a(domain, { account }));
        if (isAnswer(answer)) {
          if (answer.isAuthentic) return 'secure';
          return (await isValidating()) ? 'insecure' : 'unknown';
        }
        // What answers unchecked only, each time, has signatures that are wrong (RFC 4035 section 5.5); a resolver that validates nothing,
        // and a zone whose parent vouches for no key, have no such failure.
        if (answer.outcome === 'timeout' || !(await isValidating())) return 'unknown';
        for (const isUnchecked of REPEATS)
          if (isAnswer(await own(domain, () => resolver.a(domain, { isUnchecked, account }))) !== isUnchecked)
            return 'unknown';
        return (await isVouchedFor(domain, account)) ? 'bogus' : 'unknown';
      },
    };
  };
  return { ...of(''), of, examine: () => judge.check() };
}

/** Does what asks the DNS; what it has not answered when the time is over, it has not answered. */
export function withinTime<T>(
  dns: FactDns,
  { ms, timer }: { readonly ms: number; readonly timer: Timer },
  work: (dns: FactDns) => Promise<T>,
): Promise<T> {
  return withTimeLimit(timer, ms, (over) => work(boundedDns(dns, over)));
}

function isAnswer<T>(answer: RecordAnswer<T>): answer is Exclude<RecordAnswer<T>, { outcome: 'servfail' | 'timeout' }> {
  return answer.outcome !== 'servfail' && answer.outcome !== 'timeout';
}
