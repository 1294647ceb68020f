import { Redis, type RedisOptions } from 'ioredis';
import pg from 'pg';
import { openRedis } from '../redis/redis.js';

const ANSWER_WITHIN_MS = 5_000;

/** Rejects unless PostgreSQL answers and takes writes. */
export async function probePostgres(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'mailsonde start',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ recovers: boolean }>('SELECT pg_is_in_recovery() AS recovers');
    // A server in recovery gets 57P03, the code of one that lets nobody in yet.
    if (rows[0]!.recovers)
      throw Object.assign(new Error('the database system only reads: it recovers'), { code: '57P03' });
  } finally {
    // The end is not awaited, because a hung server never answers it.
    void client.end().catch(() => undefined);
  }
}

/** Rejects unless Redis answers. */
export async function probeRedis(url: string): Promise<void> {
  const options: RedisOptions = {
    lazyConnect: true,
    connectTimeout: ANSWER_WITHIN_MS,
    commandTimeout: ANSWER_WITHIN_MS,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  };
  const redis = openRedis(url, options);
  let failure: Error | null = null;
  const note = (error: Error): void => void (failure ??= error);
  // A cluster has the reason of each of its nodes.
  redis.on(redis.isCluster ? 'node error' : 'error', note);
  try {
    if (redis instanceof Redis) await redis.connect();
    await redis.ping();
  } catch (error) {
    // ioredis rejects with "Connection is closed."; only the event has the reason.
    throw failure ?? error;
  } finally {
    redis.disconnect();
  }
}
