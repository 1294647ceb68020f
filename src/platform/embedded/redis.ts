import { mkdirSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type EmbeddedServer, commandOf, until } from './processes.js';
import { launchRedis, type RedisProcess } from './redis-launch.js';

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

/** The key that is set while a copy checks whether it is the last one. */
const STOPPING = 'mailsonde:embedded:stopping';

/**
 * A connection that shows, as long as it is open, that somebody needs the server; null when no server of ours answers.
 *
 * A joining copy connects first and reads `STOPPING` then; a leaving copy sets `STOPPING` first and reads the connections then.
 * So one of them sees the other, and no server is stopped under a copy that has just joined it.
 */
async function joinRedis(server: RedisProcess): Promise<Redis | 'stopping' | null> {
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
async function isLastUserOfRedis(presence: Redis): Promise<boolean> {
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

/**
 * The Redis of a data directory, in `<dataDir>/redis/<generation>/state.json`; the highest generation counts. A dead server's
 * state is never replaced but followed by the next generation, which only one process can make, so that two processes that find
 * it dead at once cannot both replace it.
 */
export function latestState(dataDir: string): { generation: number; server: RedisProcess } | null {
  const generation = Math.max(0, ...generations(dataDir));
  if (generation === 0) return null;
  try {
    const server = JSON.parse(readFileSync(stateFile(dataDir, generation), 'utf8')) as RedisProcess;
    return { generation, server };
  } catch (error) {
    // Another process has just made the next generation.
    if (existsSync(stateFile(dataDir, generation))) throw error;
    return latestState(dataDir);
  }
}

/* Error codes of a rename to a folder that is not empty; EPERM on Windows. */
const TAKEN: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM']);

/** False when the generation is taken. */
function publishState(dataDir: string, generation: number, server: RedisProcess): boolean {
  const prepared = join(dataDir, 'redis', `new-${process.pid}`);
  rmSync(prepared, { recursive: true, force: true });
  mkdirSync(prepared, { recursive: true, mode: 0o700 });
  writeFileSync(join(prepared, 'state.json'), JSON.stringify(server), { mode: 0o600 });
  try {
    // The rename fails when the target is a folder that is not empty.
    renameSync(prepared, join(dataDir, 'redis', String(generation)));
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (!TAKEN.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  }
  for (const older of generations(dataDir).filter((number) => number < generation)) {
    rmSync(join(dataDir, 'redis', String(older)), { recursive: true, force: true });
  }
  return true;
}

function generations(dataDir: string): number[] {
  if (!existsSync(join(dataDir, 'redis'))) return [];
  return readdirSync(join(dataDir, 'redis'))
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function stateFile(dataDir: string, generation: number): string {
  return join(dataDir, 'redis', String(generation), 'state.json');
}
