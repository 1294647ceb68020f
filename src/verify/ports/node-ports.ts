import { createMailHosts } from '../../engine/dns/mail-hosts.js';
import {
  checkResolver,
  createNodeResolver,
  createSocketDialer,
  MemoryConnectionLimiter,
  WatchedResolver,
  wireOf,
  type Clock,
  type Dialer,
  type EgressSource,
  type EnginePorts,
  type Random,
  type Resolver,
  type ResolverFinding,
  type WatchedResolverOptions,
} from '../../engine/index.js';
import type { Port25Trial } from '../../engine/smtp/connect/port25.js';
import { tryPort25 } from '../../engine/smtp/connect/port25-trial.js';
import type { Env } from '../../platform/config/env.js';

/** About as long as a recursive server itself asks on, and well within the default budget of a verification. */
const DNS_PATIENCE_MS = 8_000;

/** Time as the machine has it; a timer of the engine never keeps the process alive by itself. */
export const systemClock: Clock = {
  now: Date.now,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { fraction: Math.random };

/** The real network and clock. Without `connectionLimiter`, the operators' caps hold for this process alone. */
export function nodePorts({
  dnsServers,
  connectionLimiter = new MemoryConnectionLimiter(systemClock),
}: {
  dnsServers: readonly string[];
  connectionLimiter?: EnginePorts['connectionLimiter'];
}): EnginePorts {
  return {
    resolver: nodeResolver(dnsServers),
    dialer: nodeDialer(),
    clock: systemClock,
    random: systemRandom,
    connectionLimiter,
  };
}

/** Whether the resolver that the engine would ask tells the truth; null when it did not answer enough. */
export function checkDns({
  dnsServers,
  dnsKnownDomains,
}: {
  readonly dnsServers: readonly string[];
  readonly dnsKnownDomains: readonly string[];
}): Promise<ResolverFinding | null> {
  return checkResolver(nodeResolver(dnsServers), dnsKnownDomains, systemRandom);
}

/** A resolver and the engine's doubt about it, for others than the engine. */
export function watchResolver(
  options: Pick<WatchedResolverOptions, 'resolver' | 'knownDomains' | 'onChange'>,
): WatchedResolver {
  return new WatchedResolver({ ...options, clock: systemClock, random: systemRandom });
}

/** Tries port 25 at the mail hosts of the known domains, for others than the engine. */
export function port25Trial(
  env: Pick<Env, 'dnsServers' | 'dnsKnownDomains' | 'mxAllowedNetworks' | 'smtpPort'>,
): (source: EgressSource) => Promise<Port25Trial> {
  const { resolver, dialer, clock, random } = nodePorts(env);
  const mailHosts = createMailHosts({ resolver, clock, random, allowPrivate: env.mxAllowedNetworks });
  const context = { mailHosts, dialer, clock, smtpPort: env.smtpPort, domains: env.dnsKnownDomains };
  return (source) => tryPort25(source, context);
}

export const RESOLVER_BELIEVED = 'The DNS resolver knows what it should, and is believed again.';

/** What the administrator is told of a resolver that lies, and what else may be meant. @param consequence what is done meanwhile */
export function resolverProblem(
  finding: Exclude<ResolverFinding, 'honest'>,
  knownDomains: readonly string[],
  consequence: string,
): string {
  const lie = {
    denies: `none of ${knownDomains.join(', ')} exists`,
    makes_up: 'names that nobody has registered exist',
  }[finding];
  return (
    `The DNS resolver lies: it says that ${lie}, as behind a portal or without a way to the internet. ` +
    `Until it tells the truth, ${consequence}. ` +
    '"npm run doctor" tests it. A DNS without the names of the internet needs DNS_KNOWN_DOMAINS.'
  );
}

/** Sockets of this machine, or of the proxy of a source; who has no proxy does not load what speaks with one. */
function nodeDialer(): Dialer {
  const sockets = createSocketDialer();
  return {
    connect: (target) => {
      const proxy = target.source?.socks5 ?? null;
      if (proxy === null) return sockets.connect(target);
      return import('./socks5-dialer.js').then(({ connectBySocks5 }) => connectBySocks5(proxy, target, wireOf));
    },
  };
}

function nodeResolver(servers: readonly string[]): Resolver {
  return createNodeResolver({ servers, clock: systemClock, patienceMs: DNS_PATIENCE_MS });
}
