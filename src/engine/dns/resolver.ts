import { promises as dns, type RecordWithTtl } from 'node:dns';

import type { DnsAnswer, Resolver } from '../ports.js';
import { limitQuestions } from './limit-questions.js';

/** c-ares answers 55,000 questions a second with 50 outstanding and half of that with 500. */
const QUESTIONS_AT_ONCE = 50;

/** Node does not tell the TTL of MX records. Most are published with an hour or more; ten minutes is safe for nearly all. */
const MX_TTL_SECONDS = 600;

/** What c-ares calls the ways not to have records. Any other error says nothing about the name: `servfail`. */
const OUTCOMES: Readonly<Record<string, Exclude<DnsAnswer<never>['outcome'], 'found'>>> = {
  ENOTFOUND: 'nxdomain',
  ENODATA: 'nodata',
  ETIMEOUT: 'timeout',
  ECANCELLED: 'timeout',
};

export interface NodeResolverOptions {
  /** `address` or `address:port`, IPv6 with a port in brackets; those of the operating system when not given. */
  readonly servers?: readonly string[];
  /** How long to wait for the first try of each server; later tries wait longer. */
  readonly timeoutMs: number;
  /** How often each server is tried. */
  readonly tries: number;
}

/**
 * The Resolver port over c-ares, which asks the next server when one is silent and repeats a truncated answer over TCP.
 * It never rejects. Throws at once when a server is not an address.
 */
export function createNodeResolver({ servers, timeoutMs, tries }: NodeResolverOptions): Resolver {
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries });
  if (servers) resolver.setServers(servers);

  return limitQuestions(
    {
      mx: (domain) =>
        answer(async () => {
          const records = await resolver.resolveMx(domain);
          return {
            outcome: 'found',
            records: records.map(({ exchange, priority }) => ({ exchange: hostName(exchange), preference: priority })),
            ttlSeconds: MX_TTL_SECONDS,
          };
        }),
      a: (host) => answer(async () => foundAddresses(await resolver.resolve4(host, { ttl: true }))),
      aaaa: (host) => answer(async () => foundAddresses(await resolver.resolve6(host, { ttl: true }))),
    },
    QUESTIONS_AT_ONCE,
  );
}

async function answer<T>(question: () => Promise<DnsAnswer<T>>): Promise<DnsAnswer<T>> {
  try {
    return await question();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    return { outcome: OUTCOMES[code] ?? 'servfail' };
  }
}

function foundAddresses(records: readonly RecordWithTtl[]): DnsAnswer<string> {
  return {
    outcome: 'found',
    records: records.map((record) => record.address),
    ttlSeconds: Math.min(...records.map((record) => record.ttl)),
  };
}

function hostName(name: string): string {
  return name.toLowerCase().replace(/\.+$/, '');
}
