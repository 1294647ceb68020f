import type { RedisOptions } from 'ioredis';

/** `redis+sentinel://`, user and password, hosts, name of the primary, database. */
const BY_SENTINELS = /^rediss?\+sentinel:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?#]+)\/([\w.-]{1,100})(?:\/(\d{1,5}))?$/i;
/** A name, an IPv4 address or an IPv6 address in brackets, and a port. */
const HOST = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i;
const SENTINEL_PORT = 26_379;

/**
 * Reads `redis+sentinel://user:password@host:port,host:port/name/database`: the sentinels of a Redis that has replicas, and the name under which
 * they know its primary. A port that is left out is 26379. `rediss+sentinel` encrypts all connections.
 * @returns null for everything else, such as `redis://…`, which the client reads itself
 */
export function readSentinels(url: string): RedisOptions | null {
  const [, username, password, hosts, name, database] = BY_SENTINELS.exec(url) ?? [];
  if (hosts === undefined) return null;
  const sentinels: { host: string; port: number }[] = [];
  for (const text of hosts.split(',')) {
    const [, ipv6, host, port] = HOST.exec(text) ?? [];
    const found = ipv6 ?? host;
    if (found === undefined || Number(port ?? SENTINEL_PORT) > 65_535) return null;
    sentinels.push({ host: found, port: Number(port ?? SENTINEL_PORT) });
  }
  const isEncrypted = /^rediss/i.test(url);
  return {
    sentinels,
    name: name!,
    db: Number(database ?? 0),
    ...(username && { username: decoded(username) }),
    ...(password && { password: decoded(password) }),
    ...(isEncrypted && { tls: {}, enableTLSForSentinelMode: true }),
    // A sentinel that is away must not hold up the question to the next one.
    sentinelRetryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
    // A primary that was taken away from its sentinels may go on answering: nothing may be kept by it.
    failoverDetector: true,
    // A primary that has become a replica refuses writes: the sentinels are asked anew, and the command is sent again.
    reconnectOnError: ({ message }) => (message.startsWith('READONLY') ? 2 : false),
  };
}

/** The database of Redis that a URL names. */
export function databaseOf(url: string): string {
  return String(readSentinels(url)?.db ?? (new URL(url).pathname.slice(1) || '0'));
}

/** Percent signs that encode nothing stay what they are. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
