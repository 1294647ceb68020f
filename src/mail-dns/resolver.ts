import { promises as dns, type MxRecord as NodeMx, type RecordWithTtl } from 'node:dns';

import type { Clock } from '../lib/clock.js';
import { type DnsAnswer, type MxRecord, type Resolver, within } from './domain-dns.js';
import { askAgain, type OpenDnsChannel, type Question } from './ask-again.js';
import { FairPlaces } from '../lib/fair-places.js';

/**
 * An account that is alone has a third of the places: 50 for its lists, since c-ares answers fewer queries a second with many more
 * outstanding, and 500 for its single questions, whose askers have mostly gone before the time of a silent name is over.
 */
const FIRST_PLACES = { ofLists: 150, ofSingles: 1_500 };

/** Names that need patience, apart from the others, which do not wait for them. Each may have three sockets a server. */
const PATIENT_PLACES = { ofLists: 150, ofSingles: 150 };
/**
 * A name that single callers of an account ask for is not asked again when so many of the account are or wait for it: it would come too late,
 * and they would be ever more.
 */
const MAX_PATIENT_SINGLES = 150;

/** The share of the patience after which a question is asked again: a server that takes three quarters for every one answers in time. */
const FIRST_SHARE = 1 / 5;

/** Node does not show the TTL of MX records. Most are published with an hour or more; ten minutes is safe for nearly all. */
const MX_TTL_SECONDS = 600;

/** c-ares' words for having no records. Every other error says nothing about the name: `servfail`. */
const OUTCOMES: Readonly<Record<string, 'nxdomain' | 'nodata' | 'timeout'>> = {
  ENOTFOUND: 'nxdomain',
  ENODATA: 'nodata',
  ETIMEOUT: 'timeout',
  ECANCELLED: 'timeout',
};

export interface NodeResolverOptions {
  /** `address` or `address:port`, IPv6 with a port in brackets; the operating system's when there are none. */
  readonly servers?: readonly string[];
  readonly clock: Clock;
  /** Milliseconds after which a question is given up, all its tries together, without the time that it waits for others. */
  readonly patienceMs: number;
  /** The way of what is asked again. */
  readonly open: OpenDnsChannel;
}

/**
 * The Resolver port over c-ares, which goes to the next server when one is silent or gone and repeats a truncated answer
 * over TCP. Accounts share the places of first questions, and those of names that are asked again (`FairPlaces`); callers that wait behind
 * no list have places of their own for both. A question that is outstanding already is not sent for another account: it holds the place of the
 * one that began it. Never rejects; throws at once for a server that is no address.
 *
 * c-ares gives up on a server after five times what its last answers took, 250 ms at least and 5 s at most, and takes SERVFAIL and
 * REFUSED from one server for the last word. So its "timeout" is only the first try's, and what it could not answer is asked again by
 * `open`, with our patience. The first try is still listened to meanwhile.
 */
export function createNodeResolver({ servers = [], clock, patienceMs, open }: NodeResolverOptions): Resolver {
  const serverCount = servers.length || dns.getServers().length || 1;
  // Of several servers the next one gets its turn within the first share: Node looks at its timers once in the time that c-ares is told.
  const toldMs = serverCount === 1 ? patienceMs : (patienceMs * FIRST_SHARE) / 2 / serverCount;
  // Each server is tried once.
  const channel = new dns.Resolver({ timeout: Math.ceil(toldMs), tries: 1 });
  if (servers.length > 0) channel.setServers(servers);
  const shared = resolverOn(channel);
  const first = new SharedQuestions(FIRST_PLACES);
  const patient = new SharedQuestions(PATIENT_PLACES);
  const patientSingles = new Map<string | null, number>();

  async function ask<T>(asked: KeyedQuestion, question: Question<T>): Promise<DnsAnswer<T>> {
    const { answer, firstTry } = await first.ask(asked, async () => {
      const sent = question(shared);
      // In an object, so that nobody waits for it here.
      return { answer: await within(sent, patienceMs * FIRST_SHARE, clock), firstTry: sent };
    });
    if (answer.outcome !== 'timeout' && answer.outcome !== 'servfail') return answer;
    const all = channel.getServers();
    if (answer.outcome === 'servfail' && all.length === 1) return answer;
    const leftMs = patienceMs * (1 - FIRST_SHARE);
    const again = () =>
      patient.ask(asked, () => askAgain(question, { servers: all, open, clock, patienceMs: leftMs, firstTry }));
    if (asked.turn !== null) return again();
    const waiting = patientSingles.get(asked.account) ?? 0;
    if (waiting >= MAX_PATIENT_SINGLES) return answer;
    patientSingles.set(asked.account, waiting + 1);
    return again().finally(() => {
      const left = patientSingles.get(asked.account)! - 1;
      if (left > 0) patientSingles.set(asked.account, left);
      else patientSingles.delete(asked.account);
    });
  }

  return {
    mx: (domain, ...whose) => ask(keyedQuestion(`mx ${domain}`, ...whose), (resolver) => resolver.mx(domain)),
    a: (host, ...whose) => ask(keyedQuestion(`a ${host}`, ...whose), (resolver) => resolver.a(host)),
    aaaa: (host, ...whose) => ask(keyedQuestion(`aaaa ${host}`, ...whose), (resolver) => resolver.aaaa(host)),
  };
}

/** What is asked, and whose question it is. */
interface KeyedQuestion {
  readonly key: string;
  readonly turn: string | null;
  readonly account: string | null;
}

function keyedQuestion(key: string, turn: string | null = '', account: string | null = turn): KeyedQuestion {
  return { key, turn, account };
}

/** Questions of one kind, and their places. One that is outstanding is not sent a second time, and holds the place of the account that began it. */
class SharedQuestions {
  readonly #ofLists: FairPlaces;
  readonly #ofSingles: FairPlaces;
  readonly #outstanding = new Map<string, Promise<unknown>>();

  constructor(places: { readonly ofLists: number; readonly ofSingles: number }) {
    this.#ofLists = new FairPlaces(places.ofLists);
    this.#ofSingles = new FairPlaces(places.ofSingles);
  }

  async ask<T>({ key, turn, account }: KeyedQuestion, send: () => Promise<T>): Promise<T> {
    const places = turn === null ? this.#ofSingles : this.#ofLists;
    // Our own questions prove what holds when they are sent.
    if (account === null) return places.run(send, null);
    let outstanding = this.#outstanding.get(key) as Promise<T> | undefined;
    if (outstanding === undefined)
      await places.run(async () => {
        outstanding = this.#outstanding.get(key) as Promise<T> | undefined;
        if (outstanding !== undefined) return;
        outstanding = send().finally(() => this.#outstanding.delete(key));
        this.#outstanding.set(key, outstanding);
        await outstanding;
      }, account);
    return outstanding!;
  }
}

function resolverOn(channel: dns.Resolver): Resolver {
  return {
    mx: (domain) => outcomeOf(channel.resolveMx(domain), foundMx),
    a: (host) => outcomeOf(channel.resolve4(host, { ttl: true }), foundAddresses),
    aaaa: (host) => outcomeOf(channel.resolve6(host, { ttl: true }), foundAddresses),
  };
}

async function outcomeOf<N, T>(
  records: Promise<N[]>,
  found: (records: readonly N[]) => DnsAnswer<T>,
): Promise<DnsAnswer<T>> {
  try {
    return found(await records);
  } catch (error) {
    return { outcome: OUTCOMES[(error as NodeJS.ErrnoException).code ?? ''] ?? 'servfail' };
  }
}

function foundMx(records: readonly NodeMx[]): DnsAnswer<MxRecord> {
  // An alias to a name without such records comes from c-ares as success with nothing in it.
  if (records.length === 0) return { outcome: 'nodata' };
  return {
    outcome: 'found',
    records: records.map(({ exchange, priority }) => ({ exchange: hostName(exchange), preference: priority })),
    ttlSeconds: MX_TTL_SECONDS,
  };
}

function foundAddresses(records: readonly RecordWithTtl[]): DnsAnswer<string> {
  if (records.length === 0) return { outcome: 'nodata' };
  return {
    outcome: 'found',
    records: records.map(({ address }) => address),
    ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
  };
}

function hostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
