import { Redis } from 'ioredis';
import { until } from './processes.js';
import type { RedisProcess } from './redis-launch.js';

/** Set while a copy looks whether it is the last one. */
const STOPPING = 'mailsonde:embedded:stopping';

/**
 * A connection that shows, as long as it is open, that somebody needs the server; null when no server of ours answers.
 *
 * Who joins connects first and looks at `STOPPING` then; who leaves sets `STOPPING` first and looks at the connections then.
 * So either the one is seen or the other, and no server is stopped under a copy that has just joined it.
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
    // ioredis bears a server that wants no password; ours would, so that one is a stranger on a port that was ours.
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
export async function isLastOneOut(presence: Redis): Promise<boolean> {
  try {
    await presence.set(STOPPING, '1', 'PX', 2_000);
    // A connection that was closed just now is still listed for a moment.
    const alone = await until(async () => (await connections(presence)) === 1, 1_000);
    if (!alone) await presence.del(STOPPING);
    return alone;
  } catch {
    return false; // It is gone already.
  }
}

async function connections(presence: Redis): Promise<number> {
  const list = (await presence.client('LIST')) as string;
  return list.trim().split('\n').length;
}
