import { Redis } from 'ioredis';

/**
 * A client whose commands fail soon when Redis is away, so that a caller can answer 503: within 500 ms when the connection is
 * refused, within two seconds when nothing answers. In the background it keeps reconnecting.
 * @param url `redis://:password@host:port/database`
 */
export function createRedis(url: string): Redis {
  const redis = new Redis(url, {
    connectionName: 'mailsonde',
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    // While the connection is down a command waits for two attempts at most.
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 50, 250),
  });
  // Without a listener ioredis prints every failed attempt; who needs Redis is told by the failing command.
  redis.on('error', () => undefined);
  return redis;
}
