import { BlockList, isIP } from 'node:net';
import { type DnsAnswer, type DomainDns, isAbsence, recordsOf, reverseName } from './domain-dns.js';
import { parseBits } from './public-address.js';
import { reversed } from './targets.js';
import { expandMacros, type SpfMessage } from './spf-macros.js';
import { parseSpf, type SpfMechanism, type SpfQualifier, spfRecordsOf, type SpfTerm } from './spf-record.js';

/** RFC 7208 section 4.6.4: terms that ask the DNS, all included records together. */
export const MAX_SPF_LOOKUPS = 10;
/** The same section: questions whose answer is that there is nothing. */
export const MAX_VOID_LOOKUPS = 2;
/** The same section: mail hosts of one `mx` term; more is an error. Of reverse names the rest is not looked at. */
export const MAX_MX_NAMES = 10;
const MAX_REVERSE_NAMES = 10;
/** Letters, digits, hyphens and underscores; an address in brackets, as EHLO may say it, is no domain (section 4.3). */
const HOST_NAME = /^[a-z0-9._-]+$/;

export type SpfResult = 'none' | 'neutral' | 'pass' | 'fail' | 'softfail' | 'temperror' | 'permerror';

/** Who sends, and as whom. */
export interface SpfQuestion {
  readonly address: string;
  readonly domain: string;
  /** The envelope sender; left out: postmaster of the domain. */
  readonly sender?: string;
  readonly helo?: string;
}

export interface SpfOutcome {
  readonly result: SpfResult;
  /** The term that decided; null: none did. */
  readonly term: string | null;
  /** Why there is an error; null: there is none. */
  readonly problem: string | null;
  /** The domain's own record; null: there is none, or more than one. */
  readonly record: string | null;
  /** Terms that asked the DNS, those of included records too. */
  readonly lookups: number;
}

/** What one record comes to. */
type Evaluated = Pick<SpfOutcome, 'result' | 'term'>;

const RESULTS: Readonly<Record<SpfQualifier, SpfResult>> = {
  '+': 'pass',
  '-': 'fail',
  '~': 'softfail',
  '?': 'neutral',
};

/** Ends the evaluation with an error, at whatever depth. */
class SpfError extends Error {
  constructor(
    readonly result: 'temperror' | 'permerror',
    message: string,
  ) {
    super(message);
    this.name = 'SpfError';
  }
}

/** What a receiver makes of mail from an address: `check_host()` of RFC 7208. Asks nothing but what the record asks for. */
export async function checkHost(question: SpfQuestion, dns: DomainDns, parse = parseSpf): Promise<SpfOutcome> {
  const domain = question.domain.toLowerCase().replace(/\.$/, '');
  const sender = question.sender ?? `postmaster@${domain}`;
  const at = sender.lastIndexOf('@');
  const message: SpfMessage = {
    address: unmapped(question.address.toLowerCase()),
    localPart: at > 0 ? sender.slice(0, at) : 'postmaster',
    senderDomain: sender.slice(at + 1),
    helo: question.helo ?? domain,
  };
  if (!domain.includes('.') || !isName(domain) || !HOST_NAME.test(domain))
    return { result: 'none', term: null, problem: null, record: null, lookups: 0 };
  const evaluation = new Evaluation(message, dns, parse);
  const ended = (outcome: Evaluated, problem: string | null): SpfOutcome => {
    const { record, lookups } = evaluation;
    return { ...outcome, problem, record, lookups };
  };
  try {
    return ended(await evaluation.check(domain), null);
  } catch (error) {
    if (!(error instanceof SpfError)) throw error;
    return ended({ result: error.result, term: null }, error.message);
  }
}

class Evaluation {
  record: string | null = null;
  lookups = 0;
  #voidLookups = 0;
  readonly #isIpv6: boolean;
  /** Null: it is no address. */
  readonly #bits: bigint | null;

  constructor(
    private readonly message: SpfMessage,
    private readonly dns: DomainDns,
    private readonly parse: typeof parseSpf,
  ) {
    const family = isIP(message.address);
    this.#isIpv6 = family === 6;
    this.#bits = family === 4 || family === 6 ? parseBits(message.address, family) : null;
  }

  /** The bound on look-ups bounds the depth. */
  async check(domain: string): Promise<Evaluated> {
    const texts = await this.dns.txt(domain);
    if (texts.outcome !== 'found' && !isAbsence(texts)) throw silent(domain);
    const records = spfRecordsOf(recordsOf(texts));
    if (records.length === 0) return { result: 'none', term: null };
    if (records.length > 1) throw new SpfError('permerror', `${domain} has ${records.length} SPF records`);
    this.record ??= records[0]!;
    const parsed = this.parse(records[0]!);
    if (!parsed.ok) throw new SpfError('permerror', `${domain}: ${parsed.problem}`);
    return this.#evaluate(parsed.terms, domain);
  }

  async #evaluate(terms: readonly SpfTerm[], domain: string): Promise<Evaluated> {
    for (const term of terms) {
      if (term.kind === 'mechanism' && (await this.#isMatch(term, domain)))
        return { result: RESULTS[term.qualifier], term: term.text };
    }
    const redirect = terms.find(({ kind }) => kind === 'redirect');
    if (redirect === undefined || redirect.kind !== 'redirect') return { result: 'neutral', term: null };
    this.#count(redirect.text);
    const target = await this.#expand(redirect.value, domain);
    const outcome = isName(target) ? await this.check(target) : null;
    if (outcome === null || outcome.result === 'none')
      throw new SpfError('permerror', `${target}, to which ${domain} redirects, has no SPF record`);
    return outcome;
  }

  async #isMatch(term: SpfMechanism, domain: string): Promise<boolean> {
    if (term.name === 'all') return true;
    if (term.name === 'ip4' || term.name === 'ip6') return this.#isInNetwork(term);
    this.#count(term.text);
    const target = term.value === null ? domain : await this.#expand(term.value, domain);
    if (term.name === 'include') return this.#isIncluded(target);
    // A name that no question can hold is one that is not there.
    if (!isName(target)) return false;
    if (term.name === 'ptr') return (await this.#validatedNames()).some((name) => isSameOrBelow(name, target));
    if (term.name === 'mx') return this.#isWithin(await this.#mailHostAddresses(target), term);
    if (term.name === 'exists') return this.#answered(await this.dns.a(target), target).length > 0;
    return this.#isWithin(await this.#addressesOf(target), term);
  }

  async #isIncluded(target: string): Promise<boolean> {
    const { result } = isName(target) ? await this.check(target) : { result: 'none' };
    if (result === 'none') throw new SpfError('permerror', `${target}, which is included, has no SPF record`);
    return result === 'pass';
  }

  async #mailHostAddresses(domain: string): Promise<string[]> {
    const hosts = this.#answered(await this.dns.mx(domain), domain);
    if (hosts.length > MAX_MX_NAMES)
      throw new SpfError('permerror', `${domain} has more than ${MAX_MX_NAMES} mail hosts`);
    const addresses: string[] = [];
    for (const { exchange } of hosts.toSorted((a, b) => a.preference - b.preference)) {
      if (!isName(exchange)) continue;
      const answer = await this.#askFor(exchange);
      // The limit counts terms (section 4.6.4), and the term has an answer: a mail host without IPv6 is nothing odd.
      addresses.push(...(isAbsence(answer) ? [] : this.#answered(answer, exchange)));
    }
    return addresses;
  }

  async #addressesOf(host: string): Promise<readonly string[]> {
    return this.#answered(await this.#askFor(host), host);
  }

  #askFor(host: string): Promise<DnsAnswer<string>> {
    return this.#isIpv6 ? this.dns.aaaa(host) : this.dns.a(host);
  }

  /** The reverse names of the address that lead back to it. A failure of the DNS is none here (section 5.5). */
  async #validatedNames(): Promise<string[]> {
    const { address } = this.message;
    const answer = await this.dns.ptr(reverseName(address, reversed(address)));
    if (isAbsence(answer)) this.#countVoid(address);
    const names = recordsOf(answer).slice(0, MAX_REVERSE_NAMES);
    const validated: string[] = [];
    for (const name of names.filter(isName)) {
      const addresses = recordsOf(this.#isIpv6 ? await this.dns.aaaa(name) : await this.dns.a(name));
      if (isWithin(address, addresses, 32, 128)) validated.push(name);
    }
    return validated;
  }

  async #expand(text: string, domain: string): Promise<string> {
    if (!text.includes('%'))
      return expandMacros(text, { message: this.message, domain, validatedName: '' }).toLowerCase();
    const validatedName = /%\{p/i.test(text) ? await this.#bestName(domain) : '';
    return expandMacros(text, { message: this.message, domain, validatedName });
  }

  /** Section 7.3: the domain itself, else a name below it, else any. */
  async #bestName(domain: string): Promise<string> {
    const names = await this.#validatedNames();
    return (
      names.find((name) => name === domain) ??
      names.find((name) => isSameOrBelow(name, domain)) ??
      names[0] ??
      'unknown'
    );
  }

  #isInNetwork({ name, bits, cidr4, cidr6 }: SpfMechanism): boolean {
    if (bits === null || this.#bits === null || name !== (this.#isIpv6 ? 'ip6' : 'ip4')) return false;
    return (bits ^ this.#bits) >> BigInt(this.#isIpv6 ? 128 - cidr6 : 32 - cidr4) === 0n;
  }

  #isWithin(networks: readonly string[], { cidr4, cidr6 }: SpfMechanism): boolean {
    return isWithin(this.message.address, networks, cidr4, cidr6);
  }

  /** @throws SpfError when there was no answer, or too many that said nothing */
  #answered<T>(answer: DnsAnswer<T>, name: string): readonly T[] {
    if (answer.outcome === 'found') return answer.records;
    if (!isAbsence(answer)) throw silent(name);
    this.#countVoid(name);
    return [];
  }

  #count(term: string): void {
    this.lookups += 1;
    if (this.lookups > MAX_SPF_LOOKUPS)
      throw new SpfError('permerror', `it asks the DNS more than ${MAX_SPF_LOOKUPS} times (at ${term})`);
  }

  #countVoid(name: string): void {
    this.#voidLookups += 1;
    if (this.#voidLookups > MAX_VOID_LOOKUPS)
      throw new SpfError('permerror', `more than ${MAX_VOID_LOOKUPS} names that it asks for do not exist (at ${name})`);
  }
}

/** A connection over an IPv4-mapped address comes from the IPv4 address (section 5). */
function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
}

function silent(name: string): SpfError {
  return new SpfError('temperror', `the DNS did not answer for ${name}`);
}

function isWithin(address: string, networks: readonly string[], cidr4: number, cidr6: number): boolean {
  const family = isIP(address);
  const list = new BlockList();
  for (const network of networks) {
    if (isIP(network) !== family) continue;
    list.addSubnet(network, family === 4 ? cidr4 : cidr6, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function isSameOrBelow(name: string, domain: string): boolean {
  return name === domain.toLowerCase() || name.endsWith(`.${domain.toLowerCase()}`);
}

/** Whether a question can be asked about it. */
function isName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => label.length > 0 && label.length <= 63);
}
