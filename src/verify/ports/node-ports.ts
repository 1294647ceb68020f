import {
  createSocketDialer,
  MemoryConnectionLimiter,
  wireOf,
  type Clock,
  type Dialer,
  type EnginePorts,
  type Random,
} from '../../engine/index.js';
import { nodeResolver } from '../../resolver/judge-resolver.js';

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
