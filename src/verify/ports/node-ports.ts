import { readFileSync } from 'node:fs';
import { createMailHosts } from '../../mail-dns/mail-hosts.js';
import type { Clock, Random } from '../../lib/clock.js';
import { createSocketDialer, wireOf } from '../../engine/smtp/connect/socket.js';
import { MemoryConnectionLimiter } from '../../engine/smtp/connect/connection-limiter.js';
import type { Dialer, EgressSource, EnginePorts } from '../../engine/ports.js';
import { tryPort25 } from '../../engine/smtp/connect/port25-trial.js';
import type { Port25Trial } from '../../engine/smtp/connect/port25.js';
import type { Env } from '../../platform/config/env.js';
import { nodeResolver } from '../../resolver/own-resolver.js';

/** Files and sockets that this process may open; null where the system has no file that says so. */
export function maxOpenFiles(limits = '/proc/self/limits'): number | null {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync(limits, 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** Connections to mail hosts that so many files leave room for: callers, PostgreSQL, Redis, the DNS and files have the other half. */
export function connectionsWithin(wanted: number, files: number | null): number {
  return files === null ? wanted : Math.max(1, Math.min(wanted, Math.floor(files / 2)));
}

/** Time as the machine has it; a timer of the engine never keeps the process alive by itself. */
export const systemClock: Clock = {
  now: Date.now,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { fraction: Math.random };

/** The real network and clock; the operators' caps hold for this process alone. */
export function nodePorts({ dnsServers }: Pick<Env, 'dnsServers'>): EnginePorts {
  return {
    resolver: nodeResolver(dnsServers),
    dialer: nodeDialer(),
    clock: systemClock,
    random: systemRandom,
    connectionLimiter: new MemoryConnectionLimiter(systemClock),
  };
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
