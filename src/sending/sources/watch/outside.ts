import { agreementsOf, readBlacklists } from '../../../deliverability/blacklists/blacklists-file.js';
import type { OpenList, ListDns } from '../../../mail-dns/ask-list.js';
import type { ResolverJudge } from '../../../mail-dns/resolver-judge.js';
import type { Env } from '../../../platform/config/env.js';
import { openLists } from './block-lists.js';
import { RecordResolver } from '../../../platform/dns/record-resolver.js';
import type { DomainDns } from '../../../mail-dns/domain-dns.js';

type WatchDns = DomainDns & ListDns;

/** The questions about ourselves, to the resolver of this installation. @param servers as in `DNS_SERVERS`; empty for the system's */
function createWatchDns(servers: readonly string[], judge: ResolverJudge): WatchDns {
  const resolver = new RecordResolver(servers);
  return {
    a: (name: string, attempt?: number) => judge.ask(() => resolver.a(name, { attempt })),
    aaaa: (name) => judge.ask(() => resolver.aaaa(name)),
    mx: (name) => judge.ask(() => resolver.mx(name)),
    ptr: (name) => judge.ask(() => resolver.ptr(name)),
    txt: (name: string, attempt?: number) => judge.ask(() => resolver.txt(name, { attempt })),
  };
}

/** Who is asked how our own sending addresses look from outside. */
export interface Outside {
  readonly dns: WatchDns;
  /** The block lists that this installation may ask about addresses. */
  readonly lists: readonly OpenList[];
}

export function createOutside(env: Env, judge: ResolverJudge): Outside {
  return { dns: createWatchDns(env.dnsServers, judge), lists: openLists(readBlacklists(), agreementsOf(env)) };
}
