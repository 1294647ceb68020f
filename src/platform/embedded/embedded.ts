import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../config/env.js';
import { explained, prepareDataDirectory } from './data-directory.js';
import { startPostgres } from './postgres.js';
import { checkHome } from './postgres-home.js';
import { startRedis } from './redis.js';

/** A server of our own, which production replaces by an administered one. */
export interface EmbeddedPart {
  readonly name: 'PostgreSQL' | 'Redis';
  /** The running server in words, such as `PostgreSQL 18.4 in .mailsonde/postgres`. */
  readonly what: string;
  /** The environment variable that replaces it. */
  readonly replaceWith: 'DATABASE_URL' | 'REDIS_URL';
}

export interface Embedded {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Empty when both are configured. */
  readonly parts: readonly EmbeddedPart[];
  /** Stops the servers that no other copy of the service uses. The caller has closed our own connections before. */
  stop(): Promise<void>;
}

/**
 * Answers with the configured servers, and starts (or joins) one of our own for each that is not configured.
 * @throws ConfigurationError where `dataDir` cannot hold their data, or this machine has no such server
 */
export async function startEmbedded(
  env: Pick<Env, 'dataDir' | 'databaseUrl' | 'redisUrl'>,
  log: (line: string) => void,
): Promise<Embedded> {
  if (env.databaseUrl === null || env.redisUrl === null) prepareDataDirectory(env.dataDir);
  if (env.databaseUrl === null) checkData(env.dataDir);
  const starts = [
    env.databaseUrl === null ? startPostgres(env.dataDir, log) : null,
    env.redisUrl === null ? startRedis(env.dataDir, log) : null,
  ] as const;
  const [postgres, redis] = await Promise.all(starts).catch(async (error: unknown) => {
    for (const start of await Promise.allSettled(starts)) if (start.status === 'fulfilled') await start.value?.stop();
    throw explained(env.dataDir, error);
  });
  const parts: EmbeddedPart[] = [];
  if (postgres) parts.push({ name: 'PostgreSQL', what: postgres.what, replaceWith: 'DATABASE_URL' });
  if (redis) parts.push({ name: 'Redis', what: redis.what, replaceWith: 'REDIS_URL' });
  return {
    databaseUrl: env.databaseUrl ?? postgres!.url,
    redisUrl: env.redisUrl ?? redis!.url,
    parts,
    stop: async () => {
      await Promise.all([postgres?.stop(), redis?.stop()]);
    },
  };
}

/** The check comes before any start, so that the refusal is the only output. */
function checkData(dataDir: string): void {
  try {
    checkHome(dataDir);
  } catch (error) {
    throw explained(dataDir, error);
  }
}

/** Whether a PostgreSQL of our own has been made in `dataDir`. @throws ConfigurationError where we may not look */
export function hasDatabase(dataDir: string): boolean {
  try {
    return lstatSync(join(dataDir, 'postgres'), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw explained(dataDir, error);
  }
}
