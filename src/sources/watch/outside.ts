import { agreementsOf, readBlacklists } from '../../blacklists/blacklists-file.js';
import type { OpenList } from '../../mail-dns/ask-list.js';
import type { ResolverJudge } from '../../mail-dns/resolver-judge.js';
import type { Env } from '../../platform/config/env.js';
import { openLists } from './block-lists.js';
import { createWatchDns, type WatchDns } from './watch-dns.js';

/** Who is asked how our own sending addresses look from outside. */
export interface Outside {
  readonly dns: WatchDns;
  /** The block lists that this installation may ask about addresses. */
  readonly lists: readonly OpenList[];
}

export function createOutside(env: Env, judge: ResolverJudge): Outside {
  return { dns: createWatchDns(env.dnsServers, judge), lists: openLists(readBlacklists(), agreementsOf(env)) };
}
