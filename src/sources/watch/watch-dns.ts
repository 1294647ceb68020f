import { promises as dns, type MxRecord as NodeMx } from 'node:dns';
import type { ListDns } from '../../mail-dns/ask-list.js';
import type { DomainDns, DnsAnswer, MxRecord } from '../../mail-dns/domain-dns.js';
import type { ResolverJudge } from '../../mail-dns/resolver-judge.js';

const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Records of one answer that are looked at. */
const MAX_RECORDS = 100;

/** c-ares' words; every other error says nothing about the name. */
const OUTCOMES: Readonly<Record<string, 'nxdomain' | 'nodata' | 'timeout'>> = {
  ENOTFOUND: 'nxdomain',
  ENODATA: 'nodata',
  ETIMEOUT: 'timeout',
};

export type WatchDns = DomainDns & ListDns;

/** The questions about ourselves, to the resolver of this installation. @param servers as in `DNS_SERVERS`; empty for the system's */
export function createWatchDns(servers: readonly string[], judge: ResolverJudge): WatchDns {
  const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const ask = <T>(question: () => Promise<T[]>) => judge.ask(() => answerOf(question()));
  return {
    a: (name) => ask(() => resolver.resolve4(name)),
    aaaa: (name) => ask(() => resolver.resolve6(name)),
    mx: (name) => ask(() => resolver.resolveMx(name).then((records) => records.map(mailHost))),
    ptr: (name) => ask(() => resolver.resolvePtr(name).then((names) => names.map(hostName))),
    txt: (name) => ask(() => resolver.resolveTxt(name).then((records) => records.map((strings) => strings.join('')))),
  };
}

async function answerOf<T>(asked: Promise<T[]>): Promise<DnsAnswer<T>> {
  try {
    const records = (await asked).slice(0, MAX_RECORDS);
    return records.length > 0 ? { outcome: 'found', records, ttlSeconds: 0 } : { outcome: 'nodata' };
  } catch (error) {
    return { outcome: OUTCOMES[(error as NodeJS.ErrnoException).code ?? ''] ?? 'servfail' };
  }
}

function mailHost({ exchange, priority }: NodeMx): MxRecord {
  return { exchange: hostName(exchange), preference: priority };
}

function hostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
