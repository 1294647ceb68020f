import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const DIST = resolve(import.meta.dirname, '../../dist');

type Embedded = typeof import('../../src/platform/embedded/embedded.js');
type Postgres = typeof import('../../src/platform/embedded/postgres.js');
type RedisServer = typeof import('../../src/platform/embedded/redis.js');
type RedisLaunch = typeof import('../../src/platform/embedded/redis-launch.js');
type Migrate = typeof import('../../src/platform/database/migrate.js');

/** The path of a built file, such as `src/main.js`, to be started as a process. */
export function builtFile(path: string): string {
  return resolve(DIST, path);
}

// As built, not as source: these start files of `dist/` as processes, or are what such a process runs.
const load = <T>(path: string) => import(pathToFileURL(builtFile(path)).href) as Promise<T>;

export const built = {
  embedded: () => load<Embedded>('src/platform/embedded/embedded.js'),
  postgres: () => load<Postgres>('src/platform/embedded/postgres.js'),
  redis: () => load<RedisServer>('src/platform/embedded/redis.js'),
  redisLaunch: () => load<RedisLaunch>('src/platform/embedded/redis-launch.js'),
  migrate: () => load<Migrate>('src/platform/database/migrate.js'),
};
