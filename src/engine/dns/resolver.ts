import { promises as dns, type MxRecord as NodeMx, type RecordWithTtl } from 'node:dns';

import type { DnsAnswer, Resolver } from '../ports.js';
import { limitQuestions } from './limit-questions.js';

/** c-ares answers 55,000 questions a second with 50 outstanding and half of that with 500. */
const QUESTIONS_AT_ONCE = 50;

/** Node does not tell the TTL of MX records. Most are published with an hour or more; ten minutes is safe for nearly all. */
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
  /**
   * For the first try of each server; the next ones wait longer, and Node's timer doubles the last one: with a single
   * silent server the answer is `timeout` after 2 times this with one try, 4 with two, 7 to 9 with three (measured).
   */
  readonly timeoutMs: number;
  /** How often each server is tried when it is silent. */
  readonly tries: number;
}

/**
 * The Resolver port over c-ares, which goes to the next server when one is silent or gone and repeats a truncated answer
 * over TCP. At most 50 questions are outstanding, the others wait. Never rejects; throws at once for a server that is no
 * address.
 */
export function createNodeResolver(options: NodeResolverOptions): Resolver {
  const first = createChannel(options, options.servers ?? []);
  const [preferred = '', ...others] = first.getServers();
  // c-ares takes SERVFAIL and REFUSED from one server as the last word, so the others are asked on a second channel.
  const second = others.length > 0 ? createChannel(options, [...others, preferred]) : null;

  async function ask<T>(question: (channel: dns.Resolver) => Promise<DnsAnswer<T>>): Promise<DnsAnswer<T>> {
    const answer = await outcomeOf(question(first));
    return second && answer.outcome === 'servfail' ? outcomeOf(question(second)) : answer;
  }

  return limitQuestions(
    {
      mx: (domain) => ask(async (channel) => foundMx(await channel.resolveMx(domain))),
      a: (host) => ask(async (channel) => foundAddresses(await channel.resolve4(host, { ttl: true }))),
      aaaa: (host) => ask(async (channel) => foundAddresses(await channel.resolve6(host, { ttl: true }))),
    },
    QUESTIONS_AT_ONCE,
  );
}

function createChannel({ timeoutMs, tries }: NodeResolverOptions, servers: readonly string[]): dns.Resolver {
  const channel = new dns.Resolver({ timeout: timeoutMs, tries });
  if (servers.length > 0) channel.setServers(servers);
  return channel;
}

async function outcomeOf<T>(answer: Promise<DnsAnswer<T>>): Promise<DnsAnswer<T>> {
  try {
    return await answer;
  } catch (error) {
    return { outcome: OUTCOMES[(error as NodeJS.ErrnoException).code ?? ''] ?? 'servfail' };
  }
}

function foundMx(records: readonly NodeMx[]): DnsAnswer<{ exchange: string; preference: number }> {
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
