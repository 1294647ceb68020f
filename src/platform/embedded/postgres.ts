import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, realpathSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedServer, commandOf, freePort, until } from './processes.js';
import { postgresBinaries, postgresUser, SERVER_ENV, type ServerUser } from './postgres-binaries.js';
import { findHome, makeHome, type PostgresHome, SUPERUSER } from './postgres-home.js';

/** Crash recovery replays at most the `max_wal_size` of 1 GB. */
const START_TIMEOUT_MS = 120_000;
/** Tries to start, each with another port: another program may take a free port before the server has it. */
const LAUNCHES = 5;

/**
 * Starts the PostgreSQL of `<dataDir>/postgres`, or joins it when another copy of the service, possibly a killed one, has started
 * it.
 * @param settings such as `fsync=off`, for tests; only a server that is started here gets them.
 */
export async function startPostgres(
  dataDir: string,
  log: (line: string) => void,
  settings: readonly string[] = [],
): Promise<EmbeddedServer> {
  mkdirSync(dataDir, { recursive: true });
  const existing = findHome(realpathSync(dataDir));
  const user = postgresUser(existing?.data ?? null);
  const binaries = await postgresBinaries(user);
  const home = existing ?? makeHome(realpathSync(dataDir), user, binaries);
  const { presence, pid, port } = await joinOrLaunch(home, (staleOwner) =>
    launch(binaries.postgres, home, user, settings, staleOwner),
  );
  await ensureDatabase(presence);
  log(`Embedded PostgreSQL ${binaries.version} on port ${port}, data in ${home.data}`);
  return {
    url: urlOf(port, home.password),
    what: `PostgreSQL ${binaries.version} with its data in ${join(dataDir, 'postgres')}`,
    stop: async () => {
      if (await isLastUserOfPostgres(presence)) {
        // SIGINT is PostgreSQL's fast shutdown: it disconnects clients and writes everything.
        process.kill(pid, 'SIGINT');
        await until(() => !isServer(pid, home), 60_000);
      }
      await presence.end().catch(() => undefined);
    },
  };
}

/** One loop for every situation: running, starting, recovering, stopping, dead; started by us, by another copy, or both. */
async function joinOrLaunch(home: PostgresHome, launchServer: (staleOwner: number) => Promise<ChildProcess>) {
  const end = Date.now() + START_TIMEOUT_MS;
  let child: ChildProcess | null = null;
  for (let launches = 0; Date.now() < end; await delay(20)) {
    const found = readPidFile(home);
    if (found && isServer(found.pid, home)) {
      const presence = found.ready ? await joinPostgres(found.port, home.password) : null;
      if (presence) return { presence, pid: found.pid, port: found.port };
    } else if (!child || child.exitCode !== null || child.signalCode !== null) {
      if (launches++ === LAUNCHES) break;
      child = await launchServer(found?.pid ?? 0);
    }
  }
  throw new Error(`The embedded PostgreSQL does not start: ${readFileSync(home.log, 'utf8').slice(-2_000)}`);
}

async function launch(
  program: string,
  home: PostgresHome,
  user: ServerUser,
  settings: readonly string[],
  staleOwner: number,
): Promise<ChildProcess> {
  const options = {
    listen_addresses: '127.0.0.1',
    port: await freePort(),
    unix_socket_directories: '',
    timezone: 'UTC',
    log_checkpoints: 'off',
  };
  const assigned = [...Object.entries(options).map(([name, value]) => `${name}=${value}`), ...settings];
  const log = openLog(home.log);
  const child = spawn(program, ['-D', home.data, ...assigned.flatMap((setting) => ['-c', setting])], {
    ...user,
    cwd: '/',
    // Its own session, so that Ctrl-C in a terminal reaches the service alone, which then stops it in good order.
    detached: true,
    stdio: ['ignore', log, log],
    // After a crash the pid in the lock file may be another program's by now, and PostgreSQL would refuse to start for ever.
    // It takes a lock file that names its own grandparent for a stale one, and still checks the shared memory.
    env: { ...SERVER_ENV, PG_GRANDPARENT_PID: String(staleOwner) },
  });
  closeSync(log);
  child.on('error', () => undefined); // The loop sees the exit code.
  child.unref();
  return child;
}

function openLog(path: string): number {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000) truncateSync(path);
  return openSync(path, 'a', 0o600);
}

/** Line 1 of `postmaster.pid` is the process, line 4 its port, line 8 its state. */
function readPidFile(home: PostgresHome): { pid: number; port: number; ready: boolean } | null {
  try {
    const lines = readFileSync(join(home.data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  } catch {
    return null;
  }
}

function isServer(pid: number, home: PostgresHome): boolean {
  return commandOf(pid).includes(home.data);
}

const DATABASE = 'mailsonde';

/**
 * Every copy of the service holds this lock, shared, on a connection of its own for as long as it lives. The copy that gets it
 * alone is the last one; a copy that comes meanwhile does not get it, and starts the server again.
 */
const PRESENCE_LOCK = 1;

/** A connection that holds the lock; null when the server does not let us in, or is about to be stopped. */
async function joinPostgres(port: number, password: string): Promise<pg.Client | null> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password,
    database: 'postgres',
    application_name: 'mailsonde presence',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // The server's end is not reported here, because its users learn it from their own connections.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const got = await client.query('select pg_try_advisory_lock_shared($1) as got', [PRESENCE_LOCK]);
    if (got.rows[0].got === true) return client;
  } catch (error) {
    if ((error as { code?: string }).code === '28P01') throw error; // A wrong password stays wrong.
  }
  await client.end().catch(() => undefined);
  return null;
}

/**
 * Gives up our share of the lock. True when nobody else has a share or any other connection, such as a `psql`: then the lock is
 * ours alone until the server stops.
 */
async function isLastUserOfPostgres(presence: pg.Client): Promise<boolean> {
  try {
    await presence.query('select pg_advisory_unlock_shared($1)', [PRESENCE_LOCK]);
    const got = await presence.query('select pg_try_advisory_lock($1) as got', [PRESENCE_LOCK]);
    if (got.rows[0].got !== true) return false;
    // PostgreSQL still lists a just closed connection for a moment.
    return await until(() => isAlone(presence), 1_000);
  } catch {
    return false; // The server is gone already.
  }
}

async function isAlone(presence: pg.Client): Promise<boolean> {
  const others = await presence.query(
    `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
  );
  return others.rowCount === 0;
}

async function ensureDatabase(presence: pg.Client): Promise<void> {
  const found = await presence.query('select from pg_database where datname = $1', [DATABASE]);
  if (found.rowCount) return;
  await presence.query(`create database ${DATABASE}`).catch((error: { code?: string }) => {
    const madeMeanwhile = error.code === '42P04' || error.code === '23505';
    if (!madeMeanwhile) throw error;
  });
}

export function urlOf(port: number, password: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}
