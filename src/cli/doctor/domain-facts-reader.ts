import { createFactDns } from '../../deliverability/domains/fact-dns.js';
import { DomainOutside } from '../../deliverability/domains/domain-outside.js';
import { egressSources } from '../../sending/egress/egress-sources.js';
import type { DomainFacts } from '../../engine/domain/facts.js';
import { gatherFacts } from '../../engine/domain/gather-facts.js';
import type { ResolverJudge } from '../../mail-dns/resolver-judge.js';
import type { FindingArea } from '../../engine/domain/finding.js';
import type { Env } from '../../platform/config/env.js';

/** What a domain publishes, as `npm run domain` sees it. */
export type DomainFactsReader = (domain: string, areas: readonly FindingArea[]) => Promise<DomainFacts>;

/** So long mail hosts, the registry and web servers may take, all together. */
const MAX_WAIT_MS = 30_000;

/** @param asksOthers whether others than the DNS are asked too */
export function createDomainFactsReader(
  env: Pick<Env, 'dnsServers' | 'dnsKnownDomains' | 'mxAllowedNetworks' | 'smtpPort'> &
    Parameters<typeof egressSources>[0],
  resolverJudge: ResolverJudge,
  asksOthers: boolean,
): DomainFactsReader {
  const dns = createFactDns(env.dnsServers, resolverJudge);
  return async (domain, areas) => {
    const outside = new DomainOutside(env, { source: () => egressSources(env).own[0] ?? null });
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), MAX_WAIT_MS);
    try {
      const asked = { domain, selectors: [], senders: [], searchesKeys: false, areas };
      return await gatherFacts(asked, dns, asksOthers ? outside.questions(end.signal) : null);
    } finally {
      clearTimeout(timer);
      end.abort();
      await outside.close();
    }
  };
}
