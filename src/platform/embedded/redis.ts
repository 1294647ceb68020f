import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { EmbeddedServer } from './embedded-server.js';
import { commandOf, until } from './processes.js';
import { launchRedis, type RedisProcess } from './redis-launch.js';
import { isLastUserOfRedis, joinRedis } from './redis-presence.js';
import { latestState, publishState } from './redis-state.js';

const START_TIMEOUT_MS = 30_000;

/**
 * Starts a Redis without persistence, because PostgreSQL has everything that is needed to restore it, or joins the one that
 * another copy of the service has started for the same `dataDir`.
 * @param databases their number; it changes nothing for a server that runs already.
 */
export async function startRedis(
  dataDir: string,
  log: (line: string) => void,
  databases = 16,
): Promise<EmbeddedServer> {
  mkdirSync(dataDir, { recursive: true });
  const { presence, server } = await joinOrLaunch(dataDir, databases);
  log(`Embedded Redis (${server.program}) on port ${server.port}`);
  return {
    url: `redis://:${server.password}@127.0.0.1:${server.port}`,
    what: `${server.program} (in memory only)`,
    stop: async () => {
      if (await isLastUserOfRedis(presence)) {
        process.kill(server.pid, 'SIGTERM');
        await until(() => commandOf(server.pid) === '', 5_000);
      }
      presence.disconnect();
    },
  };
}

async function joinOrLaunch(dataDir: string, databases: number): Promise<{ presence: Redis; server: RedisProcess }> {
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await delay(20)) {
    const latest = latestState(dataDir);
    const presence = latest && (await joinRedis(latest.server));
    if (presence === 'stopping') continue;
    if (presence) return { presence, server: latest.server };
    const server = await launchRedis(databases);
    let isPublished = false;
    try {
      isPublished = publishState(dataDir, (latest?.generation ?? 0) + 1, server);
    } finally {
      // When another copy was quicker, the next turn of the loop joins its server, and ours is not needed.
      if (!isPublished) process.kill(server.pid, 'SIGTERM');
    }
  }
  throw new Error('The embedded Redis does not start.');
}
