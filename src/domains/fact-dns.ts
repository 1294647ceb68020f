import type { Timer } from '../lib/clock.js';
import { boundedDns } from '../engine/domain/gather-facts.js';
import type { FactDns } from '../engine/domain/facts.js';
import type { DnsAnswer } from '../mail-dns/domain-dns.js';
import { registered } from '../mail-dns/registrable.js';
import { type RecordAnswer, RecordResolver } from '../platform/dns/record-resolver.js';
import type { ResolverJudge } from '../resolver/resolver.module.js';

/** Signed, and everybody has it: who does not validate it validates nothing. */
const SIGNED = 'org';
/** Unchecked, checked, checked, unchecked: a name server that fails every other time fails one of each. */
const SECOND_LOOKS = [true, false, false, true];
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
  /** The same questions, asked for an account: those of one wait for no other's silent name servers. */
  of(account: string): FactDns;
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
  const of = (account: string): FactDns => ({
    txt: (name) => ask(() => resolver.txt(name, { account })),
    a: (name) => ask(() => resolver.a(name, { account })),
    aaaa: (name) => ask(() => resolver.aaaa(name, { account })),
    mx: async (name) => believable(await judge.askMx(name, () => resolver.mx(name, { account }))),
    ptr: (name) => ask(() => resolver.ptr(name, { account })),
    ns: (name) => ask(() => resolver.ns(name, { account })),
    cname: (name) => ask(() => resolver.cname(name, { account })),
    tlsa: async (name) => {
      const answer = await ask(() => resolver.tlsa(name, { account }));
      if (!isAnswer(answer)) return null;
      return { records: answer.outcome === 'found' ? answer.records : [], isAuthentic: answer.isAuthentic };
    },
    dnssec: async (domain) => {
      const answer = await ask(() => resolver.a(domain, { account }));
      if (isAnswer(answer)) {
        if (answer.isAuthentic) return 'secure';
        return (await isValidating()) ? 'insecure' : 'unknown';
      }
      // What answers unchecked only, each time, has signatures that are wrong (RFC 4035 section 5.5); a resolver that validates nothing,
      // and a zone whose parent vouches for no key, have no such failure.
      if (answer.outcome === 'timeout' || !(await isValidating())) return 'unknown';
      for (const isUnchecked of SECOND_LOOKS)
        if (isAnswer(await ask(() => resolver.a(domain, { isUnchecked, account }))) !== isUnchecked) return 'unknown';
      return (await isVouchedFor(domain, account)) ? 'bogus' : 'unknown';
    },
  });
  return { ...of(''), of, examine: () => judge.check() };
}

/** Does what asks the DNS; what it has not answered when the time is over, it has not answered. */
export async function withinTime<T>(
  dns: FactDns,
  { ms, timer }: { readonly ms: number; readonly timer: Timer },
  work: (dns: FactDns) => Promise<T>,
): Promise<T> {
  let endNow = (): void => {};
  const over = new Promise<void>((resolve) => (endNow = resolve));
  const cancel = timer.after(ms, endNow);
  try {
    return await work(boundedDns(dns, over));
  } finally {
    cancel();
    endNow();
  }
}

function believable<T>(answer: DnsAnswer<T>): DnsAnswer<T> {
  return answer.outcome === 'untrusted' ? NO_ANSWER : answer;
}

function isAnswer<T>(answer: RecordAnswer<T>): answer is Exclude<RecordAnswer<T>, { outcome: 'servfail' | 'timeout' }> {
  return answer.outcome !== 'servfail' && answer.outcome !== 'timeout';
}
