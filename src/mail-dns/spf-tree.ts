import { isIPv4 } from 'node:net';
import { type DnsAnswer, type DomainDns, isAbsence, recordsOf } from './domain-dns.js';
import { MAX_MX_NAMES } from './check-host.js';
import { hasMacros } from './spf-macros.js';
import {
  type AddressSet,
  type DecidedTerm,
  EVERYBODY,
  networksOf,
  NOBODY,
  passedBy,
  shareOf,
  type SpfShare,
} from './spf-reach.js';
import { parseSpf, type SpfMechanism, type SpfQualifier, spfRecordsOf, type SpfTerm } from './spf-record.js';

/** The walk goes on beyond the ten look-ups that a receiver makes, so that it can say how many there are. */
const MAX_WALKED_LOOKUPS = 50;
/** Addresses of the record that are known one by one. */
const MAX_SENDERS = 32;
/** Networks of all records together: of more, nobody counts how many addresses they have. */
export const MAX_NETWORKS = 10_000;
/** A term of the domain's own record that lets less than this send is none of the wide ones. */
const WIDE_SHARE = 1 / 1_024;
const MAX_WIDE_TERMS = 10;

/** `unanswered`: the DNS did not answer, so nothing is said about the record. */
export type SpfProblem = 'missing' | 'multiple' | 'syntax' | 'unanswered' | 'circle' | 'too_many_mail_hosts';

/** A record with what it asks for, as a tree. */
export interface SpfNode {
  /** The term that led here; null for the domain itself. */
  readonly term: string | null;
  readonly domain: string;
  /** Null for terms that name no record, and where there is none. */
  readonly record: string | null;
  /** Look-ups of this term and of everything below it. */
  readonly lookups: number;
  /** The name that it asks for does not exist. */
  readonly isVoid: boolean;
  readonly problem: SpfProblem | null;
  /** A sentence about the problem, with the words of the record. */
  readonly detail: string | null;
  readonly children: readonly SpfNode[];
}

export interface SpfTree {
  /** The domain's own records that claim to be SPF. */
  readonly records: readonly string[];
  readonly root: SpfNode;
  readonly lookups: number;
  readonly voidLookups: number;
  /** The qualifier of `all`, redirects followed; null when there is none. */
  readonly all: SpfQualifier | null;
  readonly usesPtr: boolean;
  /**
   * How many addresses pass at least, through everything that is included; macros, `exists` and `ptr` depend on the message. Null: there are
   * too many networks to count.
   */
  readonly passes: SpfShare | null;
  /** The terms of the domain's own record that let many send. */
  readonly wideTerms: readonly (SpfShare & { readonly term: string })[];
  /** The addresses that it names one by one, and those of its `a` and `mx` terms at the top. */
  readonly senders: readonly string[];
}

/** The first node with a problem that breaks the whole record, the deepest cause first; null when there is none. */
export function brokenNode(node: SpfNode): SpfNode | null {
  for (const child of node.children) {
    const broken = brokenNode(child);
    if (broken !== null) return broken;
  }
  return node.problem === null ? null : node;
}

/** Reads a domain's SPF record and everything that it asks for, as it is published: without a message. */
export async function readSpfTree(domain: string, dns: DomainDns, parse = parseSpf): Promise<SpfTree> {
  const walk = new TreeWalk(dns, parse);
  const { node, records, all, passed } = await walk.record(domain, null, []);
  const { voidLookups, usesPtr, senders, wideTerms } = walk;
  const { lookups } = node;
  const passes = walk.isBeyondCount ? null : shareOf(passed);
  return { records, root: node, lookups, voidLookups, all, usesPtr, passes, wideTerms, senders: [...senders] };
}

interface Read {
  readonly node: SpfNode;
  readonly records: readonly string[];
  readonly all: SpfQualifier | null;
  readonly passed: AddressSet;
}

class TreeWalk {
  voidLookups = 0;
  usesPtr = false;
  readonly senders = new Set<string>();
  readonly wideTerms: (SpfShare & { readonly term: string })[] = [];
  #lookups = 0;
  #networkCount = 0;

  constructor(
    private readonly dns: DomainDns,
    private readonly parse: typeof parseSpf,
  ) {}

  get isBeyondCount(): boolean {
    return this.#networkCount > MAX_NETWORKS;
  }

  /** @param trail the domains whose records led here */
  async record(domain: string, term: string | null, trail: readonly string[]): Promise<Read> {
    const own = term === null ? 0 : 1;
    const leaf = (problem: SpfProblem, detail: string, records: readonly string[] = []): Read => ({
      node: nodeOf({ term, domain, record: records[0] ?? null, lookups: own, problem, detail }),
      records,
      all: null,
      passed: NOBODY,
    });
    if (trail.includes(domain)) return leaf('circle', `${domain} leads back to itself`);
    const texts = await this.dns.txt(domain);
    if (texts.outcome !== 'found' && !isAbsence(texts))
      return leaf('unanswered', `the DNS did not answer for ${domain}`);
    const records = spfRecordsOf(recordsOf(texts));
    if (records.length === 0) return leaf('missing', `${domain} has no SPF record`);
    if (records.length > 1)
      return leaf('multiple', `${domain} has ${records.length} SPF records, and one is allowed`, records);
    const parsed = this.parse(records[0]!);
    if (!parsed.ok) return leaf('syntax', `${domain}: ${parsed.problem}`, records);
    const { children, all, passed } = await this.#terms(parsed.terms, domain, [...trail, domain]);
    const lookups = own + children.reduce((sum, child) => sum + child.lookups, 0);
    return { node: nodeOf({ term, domain, record: records[0]!, lookups, children }), records, all, passed };
  }

  async #terms(
    terms: readonly SpfTerm[],
    domain: string,
    trail: readonly string[],
  ): Promise<{ children: SpfNode[]; all: SpfQualifier | null; passed: AddressSet }> {
    const children: SpfNode[] = [];
    const decided: DecidedTerm[] = [];
    const decide = (term: string, matched: AddressSet, isPass: boolean): void => {
      if (isPass && trail.length === 1) this.#noteWide(term, matched);
      decided.push({ matched, isPass });
    };
    const passed = (): AddressSet => (this.isBeyondCount ? NOBODY : passedBy(decided));
    for (const term of terms) {
      if (term.kind !== 'mechanism') continue;
      const isPass = term.qualifier === '+';
      if (term.name === 'all') {
        decide(term.text, EVERYBODY, isPass);
        // Nothing after `all` is looked at (RFC 7208 section 5.1).
        return { children, all: term.qualifier, passed: passed() };
      }
      const { node, matched } = await this.#mechanism(term, domain, trail);
      if (node !== null) children.push(node);
      decide(term.text, matched, isPass);
    }
    const redirect = terms.find(({ kind }) => kind === 'redirect');
    if (redirect === undefined || redirect.kind !== 'redirect') return { children, all: null, passed: passed() };
    const { node, all, passed: matched } = await this.#other(redirect.value, redirect.text, trail);
    decide(redirect.text, matched, true);
    return { children: [...children, node], all, passed: passed() };
  }

  /** The node is null for terms that ask nothing. */
  async #mechanism(
    term: SpfMechanism,
    domain: string,
    trail: readonly string[],
  ): Promise<{ node: SpfNode | null; matched: AddressSet }> {
    const { name, value, text } = term;
    const isOwn = trail.length === 1 && term.qualifier === '+';
    if (name === 'ip4' || name === 'ip6') {
      if (isOwn && (name === 'ip4' ? term.cidr4 === 32 : term.cidr6 === 128)) this.#addSenders([value!]);
      return { node: null, matched: this.#networks([value!], term) };
    }
    if (name === 'include') {
      const { node, passed } = await this.#other(value!, text, trail);
      return { node, matched: passed };
    }
    this.usesPtr ||= name === 'ptr';
    const target = (value ?? domain).toLowerCase().replace(/\.$/, '');
    const node = { term: text, domain: target, record: null, lookups: 1 };
    this.#lookups += 1;
    // A macro needs a message's particulars, and there is no message here.
    if (name === 'ptr' || hasMacros(target) || this.#lookups > MAX_WALKED_LOOKUPS)
      return { node: nodeOf(node), matched: NOBODY };
    const { hosts, isVoid: isHostless, failed } = await this.#hostsOf(name, target);
    if (hosts.length > MAX_MX_NAMES) {
      const detail = `${target} has more than ${MAX_MX_NAMES} mail hosts`;
      return { node: nodeOf({ ...node, problem: 'too_many_mail_hosts', detail }), matched: NOBODY };
    }
    const addresses = await Promise.all(hosts.map((host) => this.#addressesOf(host)));
    const found = addresses.flatMap((one) => one.found);
    if (isOwn && name !== 'exists') this.#addSenders(found);
    const isVoid = !failed && found.length === 0 && addresses.every((one) => !one.failed);
    // The question of an `mx` term is the one for its hosts (RFC 7208 section 4.6.4).
    if (isVoid && (name !== 'mx' || isHostless)) this.voidLookups += 1;
    // Without a macro, `exists` is the same question whoever sends (section 5.7).
    const isForAll = name === 'exists' && found.some(isIPv4);
    const matched = name !== 'exists' ? this.#networks(found, term) : isForAll ? EVERYBODY : NOBODY;
    return { node: nodeOf({ ...node, isVoid }), matched };
  }

  #networks(addresses: readonly string[], { cidr4, cidr6 }: SpfMechanism): AddressSet {
    this.#networkCount += addresses.length;
    return this.isBeyondCount ? NOBODY : networksOf(addresses, cidr4, cidr6);
  }

  #noteWide(term: string, matched: AddressSet): void {
    const share = shareOf(matched);
    if (Math.max(share.ipv4, share.ipv6) >= WIDE_SHARE && this.wideTerms.length < MAX_WIDE_TERMS)
      this.wideTerms.push({ term, ...share });
  }

  async #other(value: string, term: string, trail: readonly string[]): Promise<Read> {
    this.#lookups += 1;
    const domain = value.toLowerCase().replace(/\.$/, '');
    const isTooMany = this.#lookups > MAX_WALKED_LOOKUPS;
    if (hasMacros(value) || isTooMany)
      return {
        node: nodeOf({ term, domain, record: null, lookups: 1 }),
        records: [],
        all: null,
        passed: NOBODY,
      };
    return this.record(domain, term, trail);
  }

  async #hostsOf(
    name: SpfMechanism['name'],
    target: string,
  ): Promise<{ hosts: readonly string[]; isVoid: boolean; failed: boolean }> {
    if (name !== 'mx') return { hosts: [target], isVoid: false, failed: false };
    const answer = await this.dns.mx(target);
    const hosts = recordsOf(answer).map(({ exchange }) => exchange);
    return { hosts: hosts.filter((host) => host !== ''), isVoid: isAbsence(answer), failed: isFailure(answer) };
  }

  async #addressesOf(host: string): Promise<{ found: readonly string[]; failed: boolean }> {
    const answers = await Promise.all([this.dns.a(host), this.dns.aaaa(host)]);
    return { found: answers.flatMap(recordsOf), failed: answers.some(isFailure) };
  }

  #addSenders(addresses: readonly string[]): void {
    for (const address of addresses) if (this.senders.size < MAX_SENDERS) this.senders.add(address.toLowerCase());
  }
}

function isFailure(answer: DnsAnswer<unknown>): boolean {
  return answer.outcome !== 'found' && !isAbsence(answer);
}

function nodeOf(node: Partial<SpfNode> & Pick<SpfNode, 'term' | 'domain' | 'record' | 'lookups'>): SpfNode {
  return { isVoid: false, problem: null, detail: null, children: [], ...node };
}
