import { BlockList, isIP } from 'node:net';
import type { DoctorDns } from './doctor-dns.js';
import { parseSpf, type SpfMechanism, type SpfQualifier, type SpfTerm, spfRecordsOf } from './spf-record.js';

/** RFC 7208 section 4.6.4: terms that ask the DNS, all included records together. */
export const MAX_LOOKUPS = 10;

/** The record's result for an address. `unsaid`: a macro or a DNS failure hides it. */
export type SpfResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'unsaid';

export interface SpfWalk {
  /** The record of the domain itself. */
  readonly record: string | null;
  /** The error that makes every receiver give up on the record (permerror), in a sentence. */
  readonly broken: string | null;
  /** At worst, for an address that nothing matches. */
  readonly lookups: number;
  /** The qualifier of `all`, redirects followed; null when there is none. */
  readonly all: SpfQualifier | null;
  readonly usesPtr: boolean;
  /** The result for each address asked about. */
  readonly results: ReadonlyMap<string, SpfResult>;
}

const RESULTS: Readonly<Record<SpfQualifier, SpfResult>> = {
  '+': 'pass',
  '-': 'fail',
  '~': 'softfail',
  '?': 'neutral',
};

/** A record with which every receiver stops. */
class Broken extends Error {}

/** Reads a domain's SPF record as a receiver would, and everything that it includes. */
export async function walkSpf(domain: string, addresses: readonly string[], dns: DoctorDns): Promise<SpfWalk> {
  const walk = new Walk(addresses, dns);
  try {
    const level = await walk.level(domain);
    const results = new Map(addresses.map((address) => [address, level.resultOf(address)]));
    return { ...walk.particulars(), broken: null, all: level.all, results };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { ...walk.particulars(), broken: error.message, all: null, results: new Map() };
  }
}

interface Level {
  readonly all: SpfQualifier | null;
  readonly resultOf: (address: string) => SpfResult;
}

class Walk {
  #record: string | null = null;
  #lookups = 0;
  #usesPtr = false;

  constructor(
    private readonly addresses: readonly string[],
    private readonly dns: DoctorDns,
  ) {}

  particulars(): Pick<SpfWalk, 'record' | 'lookups' | 'usesPtr'> {
    return { record: this.#record, lookups: this.#lookups, usesPtr: this.#usesPtr };
  }

  /** One record with what it includes. The bound on lookups bounds the depth. */
  async level(domain: string): Promise<Level> {
    const terms = await this.#termsOf(domain);
    const results = new Map<string, SpfResult>();
    /** Addresses that an earlier term may have let pass, because it cannot be decided here. */
    const doubtful = new Set<string>();
    const doubted = (address: string, result: SpfResult): SpfResult =>
      doubtful.has(address) && result !== 'pass' ? 'unsaid' : result;
    let all: SpfQualifier | null = null;
    for (const term of terms) {
      if (term.kind !== 'mechanism' || all !== null) continue;
      if (term.name === 'all') all = term.qualifier;
      const matches = await this.#matcherOf(term, domain);
      for (const address of this.addresses.filter((one) => !results.has(one))) {
        const match = matches(address);
        if (match === 'yes') results.set(address, doubted(address, RESULTS[term.qualifier]));
        else if (match === 'unsaid' && term.qualifier === '+') doubtful.add(address);
        else if (match === 'unsaid') results.set(address, 'unsaid');
      }
    }
    const rest = all === null ? await this.#redirected(terms) : null;
    const resultOf = (address: string): SpfResult =>
      results.get(address) ?? doubted(address, rest?.resultOf(address) ?? 'neutral');
    return { all: all ?? rest?.all ?? null, resultOf };
  }

  async #redirected(terms: readonly SpfTerm[]): Promise<Level | null> {
    const redirect = terms.find((term) => term.kind === 'redirect');
    if (redirect === undefined) return null;
    this.#count(`redirect=${redirect.value}`);
    if (redirect.value.includes('%')) return { all: null, resultOf: () => 'unsaid' };
    return this.level(redirect.value);
  }

  async #termsOf(domain: string): Promise<readonly SpfTerm[]> {
    const texts = await this.dns.texts(domain);
    if (texts.outcome === 'unanswered') throw new Broken(`the DNS did not answer for ${domain}: ${texts.why}`);
    const records = texts.outcome === 'found' ? spfRecordsOf(texts.records) : [];
    if (records.length === 0) throw new Broken(`${domain} has no SPF record`);
    this.#record ??= records[0]!;
    if (records.length > 1) throw new Broken(`${domain} has ${records.length} SPF records, and one is allowed`);
    const parsed = parseSpf(records[0]!);
    if (!parsed.ok) throw new Broken(`${domain}: ${parsed.problem}`);
    return parsed.terms;
  }

  async #matcherOf(
    { name, value, cidr4, cidr6 }: SpfMechanism,
    domain: string,
  ): Promise<(address: string) => 'yes' | 'no' | 'unsaid'> {
    if (name === 'all') return () => 'yes';
    if (name === 'ip4' || name === 'ip6') return inNetworks([value!], cidr4, cidr6);
    this.#count(value === null ? name : `${name}:${value}`);
    this.#usesPtr ||= name === 'ptr';
    const target = value ?? domain;
    // A macro needs a message's particulars, and there is no message here; `ptr` is not worth its queries.
    if (target.includes('%') || name === 'ptr') return () => 'unsaid';
    if (name === 'include') {
      const { resultOf } = await this.level(target);
      return (address) => {
        const result = resultOf(address);
        return result === 'unsaid' ? 'unsaid' : result === 'pass' ? 'yes' : 'no';
      };
    }
    if (this.addresses.length === 0) return () => 'no';
    const found = await this.#addressesOf(name, target);
    if (found === null) return () => 'unsaid';
    return name === 'exists' ? () => (found.length > 0 ? 'yes' : 'no') : inNetworks(found, cidr4, cidr6);
  }

  /** Null when the DNS did not answer. */
  async #addressesOf(name: SpfMechanism['name'], target: string): Promise<readonly string[] | null> {
    const hosts = name === 'mx' ? await this.dns.mailHosts(target) : ({ outcome: 'found', records: [target] } as const);
    if (hosts.outcome === 'none') return [];
    if (hosts.outcome === 'unanswered') return null;
    const answers = await Promise.all(hosts.records.slice(0, MAX_LOOKUPS).map((host) => this.dns.addresses(host)));
    if (answers.some(({ outcome }) => outcome === 'unanswered')) return null;
    return answers.flatMap((answer) => (answer.outcome === 'found' ? answer.records : []));
  }

  #count(term: string): void {
    this.#lookups += 1;
    if (this.#lookups > MAX_LOOKUPS)
      throw new Broken(`it asks the DNS more than ${MAX_LOOKUPS} times (at ${term}), and receivers give up`);
  }
}

function inNetworks(networks: readonly string[], cidr4: number, cidr6: number): (address: string) => 'yes' | 'no' {
  const list = new BlockList();
  for (const network of networks) {
    const isV4 = isIP(network) === 4;
    list.addSubnet(network, isV4 ? cidr4 : cidr6, isV4 ? 'ipv4' : 'ipv6');
  }
  return (address) => (list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6') ? 'yes' : 'no');
}
