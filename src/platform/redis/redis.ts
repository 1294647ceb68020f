import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { type ClusterAddress, readCluster, readSentinels } from '../config/redis-address.js';

/** One Redis, or a cluster: a call to a cluster may only name keys of one slot, which share the text in their braces. */
export type RedisClient = Redis | Cluster;

/** Nest token of the shared `RedisClient`. */
export const REDIS = Symbol('REDIS');

/** From the end of a connection that ioredis has given up to the next attempt. */
const COME_BACK_MS = 100;

/** A connection whose faults never end the process. */
export function openRedis(url: string, options: RedisOptions): RedisClient {
  const byNodes = readCluster(url);
  if (byNodes !== null) return openCluster(byNodes, options);
  const bySentinels = readSentinels(url);
  const redis = bySentinels === null ? new Redis(url, options) : new Redis({ ...bySentinels, ...options });
  if (bySentinels !== null) comeBack(redis);
  redis.duplicate = (others) => openRedis(url, { ...options, ...others }) as Redis;
  // Without a listener ioredis prints every failed attempt; callers learn of the failure by their own commands.
  redis.on('error', () => undefined);
  // On a new connection it selects the database and subscribes again by itself, and ignores the outcome (5.11.1, readyHandler): a
  // close meanwhile, or a refusal because commands of the old connection come in between, is an unhandled rejection.
  for (const name of ['select', 'subscribe'] as const) {
    const send = redis[name].bind(redis) as (...values: unknown[]) => Promise<unknown>;
    const observed = (...values: unknown[]): Promise<unknown> => {
      const sent = send(...values);
      sent.catch(() => undefined);
      return sent;
    };
    redis[name] = observed as never;
  }
  return redis;
}

/**
 * Connects again where ioredis gives up for ever: the message of a failover that comes while it connects makes it take the attempt for a
 * stop of ours (5.11.1, SentinelConnector: `if (!this.connecting)`).
 */
function comeBack(redis: Redis): void {
  let isClosedByUs = false;
  const disconnect = redis.disconnect.bind(redis);
  const quit = redis.quit.bind(redis);
  redis.disconnect = (reconnect) => {
    isClosedByUs ||= reconnect !== true;
    disconnect(reconnect);
  };
  redis.quit = () => {
    isClosedByUs = true;
    return quit();
  };
  redis.on('end', () => {
    if (isClosedByUs) return;
    setTimeout(() => {
      if (!isClosedByUs) void redis.connect().catch(() => undefined);
    }, COME_BACK_MS).unref();
  });
}

/**
 * A client whose commands fail soon when Redis is away, so that a caller can answer 503: within 500 ms when the connection is
 * refused, within two seconds when nothing answers. In the background it keeps reconnecting.
 * @param url `redis://:password@host:port/database`, sentinels as `readSentinels` or a cluster as `readCluster` knows them
 */
export function createRedis(url: string): RedisClient {
  return openRedis(url, {
    connectionName: 'mailsonde',
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    // While the connection is down a command waits for two attempts at most.
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 50, 250),
  });
}

/** A client that only listens: it waits for Redis as long as it takes, and subscribes again by itself. */
export function listenerBeside(redis: RedisClient): RedisClient {
  // A cluster's does so by itself, and a copy has none of the limits of `openCluster`.
  if (redis instanceof Redis) return redis.duplicate({ maxRetriesPerRequest: null, commandTimeout: undefined });
  return redis.duplicate().on('error', () => undefined);
}

function openCluster(
  { nodes, options: address }: ClusterAddress,
  { retryStrategy, commandTimeout, ...options }: RedisOptions,
): Cluster {
  const cluster = new Cluster(nodes, {
    redisOptions: { ...address, ...options },
    // While no node is there at all. A node that is lost is given up, and the others are asked who has its slots now.
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: 2_000,
    // Certificates are for names, so none is replaced by its address.
    dnsLookup: (name, callback) => callback(null, name),
    ...(options.lazyConnect === true && { lazyConnect: true }),
  });
  cluster.on('error', () => undefined);
  // The client's own limit begins when a node is sent the command: one that waits for a node would wait for ever.
  if (commandTimeout !== undefined) {
    const send = cluster.sendCommand.bind(cluster);
    cluster.sendCommand = (command, ...rest) => {
      command.setTimeout(commandTimeout);
      return send(command, ...rest);
    };
  }
  return cluster;
}
