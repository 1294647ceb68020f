import { promises as dns, type MxRecord as NodeMx, type RecordWithTtl } from 'node:dns';

import type { Clock, DnsAnswer, MxRecord, Resolver } from '../ports.js';
import { askAgain, type OpenDnsChannel, type Question } from './ask-again.js';
import { permitsByTurn } from './limit-queries.js';

/**
 * c-ares answers fewer queries a second with many more outstanding. Single questions take no turns, and the asker of a silent name has
 * mostly gone before its time is over: a few hundred of them a second, all that some callers may ask, must not hold up the others.
 */
const QUERY_CONCURRENCY = { ofLists: 50, ofSingles: 500 };

/** Names that need patience, apart from the others, which do not wait for them. Each may have three sockets a server. */
const PATIENT_CONCURRENCY = { ofLists: 50, ofSingles: 50 };
/** A name that a single caller asks for is not asked again when so many are or wait for it: it would come too late, and they would be ever more. */
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
 * over TCP. At most 50 first queries of lists are outstanding, the others wait and take turns; beside them at most 50 names are asked
 * again, and callers that wait behind no list have permits of their own for both. Never rejects; throws at once for a server that is no address.
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
  const first = permitsByTurn(QUERY_CONCURRENCY);
  const patient = permitsByTurn(PATIENT_CONCURRENCY);
  let patientSingles = 0;

  async function ask<T>(question: Question<T>, turn: string | null | undefined): Promise<DnsAnswer<T>> {
    let firstTry!: Promise<DnsAnswer<T>>;
    const answer = await first(turn).run(() => {
      firstTry = question(shared);
      return within(firstTry, patienceMs * FIRST_SHARE, clock);
    }, turn);
    if (answer.outcome !== 'timeout' && answer.outcome !== 'servfail') return answer;
    const all = channel.getServers();
    if (answer.outcome === 'servfail' && all.length === 1) return answer;
    const leftMs = patienceMs * (1 - FIRST_SHARE);
    const again = () => askAgain(question, { servers: all, open, clock, patienceMs: leftMs, firstTry });
    if (turn !== null) return patient(turn).run(again, turn);
    if (patientSingles >= MAX_PATIENT_SINGLES) return answer;
    patientSingles += 1;
    return patient(turn)
      .run(again, turn)
      .finally(() => (patientSingles -= 1));
  }

  return {
    mx: (domain, turn) => ask((resolver) => resolver.mx(domain), turn),
    a: (host, turn) => ask((resolver) => resolver.a(host), turn),
    aaaa: (host, turn) => ask((resolver) => resolver.aaaa(host), turn),
  };
}

/** `timeout` when there is no answer by then; it may still come. */
function within<T>(answer: Promise<DnsAnswer<T>>, ms: number, clock: Clock): Promise<DnsAnswer<T>> {
  return new Promise((resolve) => {
    const cancelTimer = clock.after(ms, () => resolve({ outcome: 'timeout' }));
    void answer.then(resolve).finally(cancelTimer);
  });
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
