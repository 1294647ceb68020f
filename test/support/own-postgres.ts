import { existsSync, mkdtempSync, chmodSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { built } from './built.js';
import type { TestDatabase } from './database.js';

/** A PostgreSQL of a test's own, with the schema, that may be stopped in the middle of its work. */
export interface OwnPostgres extends TestDatabase {
  /** Hangs the server with all its connections, as a machine does that swaps or whose disk is gone. */
  hang(): void;
  resume(): void;
  /** Kills the server with all its connections; what it had not given to the system is lost. @returns the URL of the one that recovers */
  killAndRecover(): Promise<string>;
}

/** @param settings such as `max_connections=5` */
export async function startOwnPostgres(settings: readonly string[] = []): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-own-'));
  chmodSync(folder, 0o755); // So that as root the server's user gets to its data.
  const { startPostgres } = await built.postgres();
  const start = () => startPostgres(folder, () => undefined, ['fsync=off', ...settings]);
  let server = await start();
  await (await built.migrate()).runMigrations(server.url, () => undefined);
  let postmaster = await postmasterOf(server.url);
  return {
    url: server.url,
    hang: () => signalPostgres(postmaster, 'SIGSTOP'),
    resume: () => signalPostgres(postmaster, 'SIGCONT'),
    killAndRecover: async () => {
      signalPostgres(postmaster, 'SIGSTOP');
      signalPostgres(postmaster, 'SIGKILL');
      server = await start();
      postmaster = await postmasterOf(server.url);
      return server.url;
    },
    drop: async () => {
      signalPostgres(postmaster, 'SIGCONT');
      await server.stop();
      const home = join(folder, 'postgres');
      if (existsSync(home)) rmSync(realpathSync(home), { recursive: true });
      rmSync(folder, { recursive: true });
    },
  };
}

async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return parentOf(rows[0]!.pid)!;
  } finally {
    await client.end();
  }
}

type Signal = 'SIGSTOP' | 'SIGCONT' | 'SIGKILL';

/** To the server first, so that it starts no process that is left out; its processes are found while they are still its own. */
export function signalPostgres(postmaster: number, name: Signal): void {
  if (name !== 'SIGKILL') signalIfAlive(postmaster, name);
  for (const pid of readdirSync('/proc').map(Number)) if (parentOf(pid) === postmaster) signalIfAlive(pid, name);
  if (name === 'SIGKILL') signalIfAlive(postmaster, name);
}

/** A server that runs ends processes of its own at any moment, also between being found here and being signaled. */
function signalIfAlive(pid: number, name: Signal): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Field 4 of proc(5)'s `stat`, behind the name in parentheses; null for what is no process, or none any more. */
function parentOf(pid: number): number | null {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) \S+ /s, '')
        .split(' ', 1)[0],
    );
  } catch {
    return null;
  }
}
