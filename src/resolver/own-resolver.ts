import { ResolverJudge } from '../mail-dns/resolver-judge.js';
import { checkResolver, type ResolverFinding } from '../mail-dns/resolver-check.js';
import { createNodeResolver } from '../mail-dns/resolver.js';
import { type Clock, type Random } from '../lib/clock.js';
import { type Resolver } from '../mail-dns/domain-dns.js';
import { SYSTEM_TIMER } from '../platform/clock.js';
import { openDnsChannel } from '../platform/dns/record-resolver.js';

/** About as long as a recursive server itself asks on, and well within the default budget of a verification. */
const DNS_PATIENCE_MS = 8_000;
const CLOCK: Clock = { now: Date.now, ...SYSTEM_TIMER };
const RANDOM: Random = { fraction: Math.random };

/** The configured servers, or the system's where there are none. */
export function nodeResolver(servers: readonly string[]): Resolver {
  return createNodeResolver({ servers, clock: CLOCK, patienceMs: DNS_PATIENCE_MS, open: openDnsChannel });
}

export interface ResolverVariables {
  readonly dnsServers: readonly string[];
  readonly dnsKnownDomains: readonly string[];
}

/** Whether the resolver that the engine would ask tells the truth; null when it did not answer enough. */
export function checkDns({ dnsServers, dnsKnownDomains }: ResolverVariables): Promise<ResolverFinding | null> {
  return checkResolver(nodeResolver(dnsServers), dnsKnownDomains, RANDOM);
}

/** Hears a line for the administrator: the resolver lies, or does so no more. */
export interface ResolverListener {
  problem(line: string): void;
  solved(line: string): void;
}

/** The one judge of our resolver in a process, whoever asks it. */
export function openResolverJudge(
  { dnsServers, dnsKnownDomains: knownDomains }: ResolverVariables,
  listener?: ResolverListener,
  clock = CLOCK,
): ResolverJudge {
  const resolver = nodeResolver(dnsServers);
  const judge = new ResolverJudge({ resolver, knownDomains, clock, random: RANDOM });
  judge.onChange((finding) => {
    if (finding === 'honest') listener?.solved(RESOLVER_BELIEVED);
    else listener?.problem(resolverProblem(finding, knownDomains));
  });
  return judge;
}

const RESOLVER_BELIEVED = 'The DNS resolver passes its test again and is believed.';

/** What the administrator is told of a resolver that lies, and what else may be meant. */
function resolverProblem(finding: Exclude<ResolverFinding, 'honest'>, knownDomains: readonly string[]): string {
  const lie = {
    denies: `a domain that it must know does not exist (one of ${knownDomains.join(', ')}), or that mail hosts which it has found before do not`,
    makes_up: 'names that nobody has registered exist',
  }[finding];
  return (
    `The DNS resolver lies: it says that ${lie}, as behind a portal or without a way to the internet. ` +
    'Until it tells the truth, verifications that need the DNS return unknown, dns_error, checks of domains take its answers for ' +
    'none, and neither is charged. ' +
    '"npm run doctor" tests it with these domains. If your DNS does not resolve the names of the internet, set DNS_KNOWN_DOMAINS to domains that it does.'
  );
}
