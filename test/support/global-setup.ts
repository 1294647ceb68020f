import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { built } from './built.js';
import { startCleaner } from './cleaner.js';
import { databaseUrl, onServer } from './database.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run, as its superuser, and the database that test databases are cloned from. */
    postgres: { readonly serverUrl: string; readonly template: string };
    redis: { readonly serverUrl: string; readonly databases: number };
  }
}

const REDIS_DATABASES = 256;
/** A file system in memory, which most Linux machines have: a database of tests is made in 11 ms there, and in up to 600 on a disk. */
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 4 * 2 ** 30;
const silent = () => undefined;

/** One PostgreSQL and one Redis for the whole run, away from any other run's; nothing of them is left at its end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(process.env['TMPDIR'] || !hasMemory() ? tmpdir() : MEMORY, 'mailsonde-test-'));
  chmodSync(folder, 0o755); // So that as root the server's user gets to its data.
  process.env['TMPDIR'] = folder; // What tests make is found there, too, by whoever cleans up.
  const cleaner = startCleaner(folder);
  const endings: (() => unknown)[] = [() => cleaner.clean()];
  const end = async () => {
    for (const ending of endings.reverse()) await ending();
  };
  try {
    const postgres = await testPostgres(folder);
    endings.push(postgres.stop);
    if (!process.env['DATABASE_URL_TEST']) await hashPasswordOnce(postgres.url);
    const redis = await (await built.redis()).startRedis(folder, silent, REDIS_DATABASES);
    endings.push(redis.stop);
    cleaner.alsoStops(redis.url);
    const template = `template_${randomBytes(6).toString('hex')}`;
    await onServer(postgres.url, `create database ${template}`);
    endings.push(() => onServer(postgres.url, `drop database ${template}`));
    await (await built.migrate()).runMigrations(databaseUrl(postgres.url, template), silent);
    project.provide('postgres', { serverUrl: postgres.url, template });
    project.provide('redis', { serverUrl: redis.url, databases: REDIS_DATABASES });
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

/** Whether there is room in memory, and programs may be run from there. */
function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    return bavail * bsize >= NEEDED_BYTES && mount !== undefined && !mount.split(' ')[3]!.split(',').includes('noexec');
  } catch {
    return false;
  }
}

async function testPostgres(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env['DATABASE_URL_TEST'];
  if (given) return { url: given, stop: () => Promise.resolve() };
  // Nothing of a test has to outlive a power failure.
  const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];
  return (await built.postgres()).startPostgres(folder, silent, fast);
}

/** A password is hashed 4,096 times for every connection unless it is told otherwise: a quarter of the time that tests connect. */
async function hashPasswordOnce(url: string): Promise<void> {
  const { username, password } = new URL(url);
  await onServer(url, `SET scram_iterations = 1; ALTER ROLE "${username}" PASSWORD '${decodeURIComponent(password)}'`);
}
