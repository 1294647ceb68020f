import {
  createNodeResolver,
  createSocketDialer,
  MemoryHostGate,
  type Clock,
  type EnginePorts,
} from '../engine/index.js';

/** Time as the machine has it; a timer of the engine never keeps the process alive by itself. */
export const systemClock: Clock = {
  now: Date.now,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** The real network and clock. Without `gate`, the operators' caps hold for this process alone. */
export function nodePorts({
  dnsServers,
  gate = new MemoryHostGate(systemClock),
}: {
  dnsServers: readonly string[];
  gate?: EnginePorts['gate'];
}): EnginePorts {
  return {
    // With one silent server 8 s until the answer is `timeout`, well within the default budget of 15 s.
    resolver: createNodeResolver({ servers: dnsServers, timeoutMs: 2_000, tries: 2 }),
    dialer: createSocketDialer(),
    clock: systemClock,
    random: { fraction: Math.random },
    gate,
  };
}
