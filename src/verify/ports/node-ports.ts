import {
  checkResolver,
  createNodeResolver,
  createSocketDialer,
  MemoryConnectionLimiter,
  wireOf,
  type Clock,
  type Dialer,
  type EnginePorts,
  type Random,
  type Resolver,
  type ResolverFinding,
} from '../../engine/index.js';

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
