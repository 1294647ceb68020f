import { Redis } from 'ioredis';
import { until } from './processes.js';
import type { RedisProcess } from './redis-launch.js';

/** The key that is set while a copy checks whether it is the last one. */
const STOPPING = 'mailsonde:embedded:stopping';

/**
 * A connection that shows, as long as it is open, that somebody needs the server; null when no server of ours answers.
 *
 * A joining copy connects first and reads `STOPPING` then; a leaving copy sets `STOPPING` first and reads the connections then.
 * So one of them sees the other, and no server is stopped under a copy that has just joined it.
 */
export async function joinRedis(server: RedisProcess): Promise<Redis | 'stopping' | null> {
  const redis = new Redis({
    host: '127.0.0.1',
    port: server.port,
    password: server.password,
    connectionName: 'mailsonde presence',
    lazyConnect: true,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    // ioredis accepts a server that wants no password. Ours wants one, so such a server is another program on a port that was
    // ours.
    await redis.auth(server.password);
    if ((await redis.exists(STOPPING)) === 0) return redis;
    redis.disconnect();
    return 'stopping';
  } catch {
    redis.disconnect();
    return null;
  }
}

/** True when nobody else is connected; then nobody can join until the server is stopped, or two seconds are over. */
export async function isLastUserOfRedis(presence: Redis): Promise<boolean> {
  try {
    await presence.set(STOPPING, '1', 'PX', 2_000);
    // Redis still lists a just closed connection for a moment.
    const alone = await until(async () => (await connections(presence)) === 1, 1_000);
    if (!alone) await presence.del(STOPPING);
    return alone;
  } catch {
    return false; // The server is gone already.
  }
}

async function connections(presence: Redis): Promise<number> {
  const list = (await presence.client('LIST')) as string;
  return list.trim().split('\n').length;
}
