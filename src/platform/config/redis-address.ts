import type { ClusterNode, RedisOptions } from 'ioredis';

/** `redis+sentinel://`, user and password, hosts, name of the primary, database. */
const BY_SENTINELS = /^rediss?\+sentinel:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?#]+)\/([\w.-]{1,100})(?:\/(\d{1,5}))?$/i;
/** `redis+cluster://`, user and password, hosts. */
const BY_NODES = /^rediss?\+cluster:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?#]+)\/?$/i;
/** A name, an IPv4 address or an IPv6 address in brackets, and a port. */
const HOST = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i;
const SENTINEL_PORT = 26_379;
const NODE_PORT = 6_379;

/**
 * Reads `redis+sentinel://user:password@host:port,host:port/name/database`: the sentinels of a Redis that has replicas, and the name under which
 * they know its primary. A port that is left out is 26379. `rediss+sentinel` encrypts all connections.
 * @returns null for everything else, such as `redis://…`, which the client reads itself
 */
export function readSentinels(url: string): RedisOptions | null {
  const [, username, password, hosts, name, database] = BY_SENTINELS.exec(url) ?? [];
  if (hosts === undefined) return null;
  const sentinels = readHosts(hosts, SENTINEL_PORT);
  if (sentinels === null) return null;
  const isEncrypted = /^rediss/i.test(url);
  return {
    sentinels,
    name: name!,
    db: Number(database ?? 0),
    ...credentialsOf(username, password),
    ...(isEncrypted && { tls: {}, enableTLSForSentinelMode: true }),
    // A sentinel that is away must not hold up the question to the next one.
    sentinelRetryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
    // A primary that was taken away from its sentinels may go on answering: nothing may be kept by it.
    failoverDetector: true,
    // A primary that has become a replica refuses writes: the sentinels are asked anew, and the command is sent again.
    reconnectOnError: ({ message }) => (message.startsWith('READONLY') ? 2 : false),
  };
}

/** Some nodes of a Redis Cluster, which tell of the others, and how each of them is asked. */
export interface ClusterAddress {
  readonly nodes: ClusterNode[];
  readonly options: RedisOptions;
}

/**
 * Reads `redis+cluster://user:password@host:port,host:port`. A port that is left out is 6379. `rediss+cluster` encrypts all connections. A
 * cluster has one database.
 * @returns null for everything else
 */
export function readCluster(url: string): ClusterAddress | null {
  const [, username, password, hosts] = BY_NODES.exec(url) ?? [];
  const nodes = hosts === undefined ? null : readHosts(hosts, NODE_PORT);
  if (nodes === null) return null;
  const isEncrypted = /^rediss/i.test(url);
  return { nodes, options: { ...credentialsOf(username, password), ...(isEncrypted && { tls: {} }) } };
}

/** Null where one of them is none. */
function readHosts(list: string, defaultPort: number): { host: string; port: number }[] | null {
  const found: { host: string; port: number }[] = [];
  for (const text of list.split(',')) {
    const [, ipv6, name, digits] = HOST.exec(text) ?? [];
    const host = ipv6 ?? name;
    const port = Number(digits ?? defaultPort);
    if (host === undefined || port > 65_535) return null;
    found.push({ host, port });
  }
  return found;
}

function credentialsOf(username: string | undefined, password: string | undefined): RedisOptions {
  return {
    ...(username && { username: decoded(username) }),
    ...(password && { password: decoded(password) }),
  };
}

/** The database of Redis that a URL names. */
export function databaseOf(url: string): string {
  if (readCluster(url) !== null) return '0';
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
