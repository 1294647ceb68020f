import { Redis, type RedisOptions } from 'ioredis';
import { readSentinels } from './redis-address.js';

/** Nest token of the shared `Redis` client. */
export const REDIS = Symbol('REDIS');

/** From the end of a connection that ioredis has given up to the next attempt. */
const COME_BACK_MS = 100;

/** A connection whose faults never end the process. */
export function openRedis(url: string, options: RedisOptions): Redis {
  const bySentinels = readSentinels(url);
  const redis = bySentinels === null ? new Redis(url, options) : new Redis({ ...bySentinels, ...options });
  if (bySentinels !== null) comeBack(redis);
  redis.duplicate = (others) => openRedis(url, { ...options, ...others });
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
    setTimeout(() => isClosedByUs || redis.connect().catch(() => undefined), COME_BACK_MS).unref();
  });
}

/**
 * A client whose commands fail soon when Redis is away, so that a caller can answer 503: within 500 ms when the connection is
 * refused, within two seconds when nothing answers. In the background it keeps reconnecting.
 * @param url `redis://:password@host:port/database`, or sentinels as `readSentinels` knows them
 */
export function createRedis(url: string): Redis {
  return openRedis(url, {
    connectionName: 'mailsonde',
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    // While the connection is down a command waits for two attempts at most.
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 50, 250),
  });
}
