import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { vi } from 'vitest';
import { signalPostgres } from './own-postgres.js';
import { freePort } from './process.js';

export interface TestReplica {
  readonly url: string;
  /** Stops showing what the primary commits, or shows it again. */
  pause(isPaused: boolean): Promise<void>;
  /** Ends at once, as with its machine. */
  kill(): Promise<void>;
  /** Starts again after `kill`. */
  start(): Promise<void>;
  hang(): void;
  resume(): void;
  drop(): Promise<void>;
}

/**
 * A hot standby of a PostgreSQL of our own (`startOwnPostgres`), made by a base backup as its manual says it is done without
 * pg_basebackup (section 25.3.3), since the embedded one brings no such program.
 */
export async function startReplica(primaryUrl: string, settings: readonly string[] = []): Promise<TestReplica> {
  const { program, data } = await baseBackup(primaryUrl);
  const port = await freePort();
  const url = new URL(primaryUrl);
  url.port = String(port);
  const { uid, gid } = statSync(data);
  let child: ChildProcess | null = null;
  const start = async () => {
    const all = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', ...settings];
    const options = ['-D', data, ...all.flatMap((setting) => ['-c', setting])];
    child = spawn(program, options, { uid, gid, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' }, stdio: 'ignore' });
    await vi.waitFor(() => query(url.href, 'SELECT 1'), { timeout: 240_000, interval: 50 });
  };
  const kill = async () => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill('SIGQUIT');
    await exited;
  };
  await start();
  return {
    url: url.href,
    start,
    kill,
    pause: async (isPaused) => {
      await query(url.href, `SELECT pg_wal_replay_${isPaused ? 'pause' : 'resume'}()`);
    },
    hang: () => signalPostgres(child!.pid!, 'SIGSTOP'),
    resume: () => signalPostgres(child!.pid!, 'SIGCONT'),
    drop: async () => {
      signalPostgres(child!.pid!, 'SIGCONT');
      await kill();
      rmSync(data, { recursive: true });
    },
  };
}

async function baseBackup(primaryUrl: string): Promise<{ program: string; data: string }> {
  const client = new pg.Client({ connectionString: primaryUrl });
  await client.connect();
  const { rows } = await client.query<{ source: string }>(
    `SELECT setting AS source FROM pg_settings WHERE name = 'data_directory'`,
  );
  const { source } = rows[0]!;
  const postmaster = readFileSync(join(source, 'postmaster.pid'), 'utf8').split('\n', 1)[0]!;
  const program = readlinkSync(`/proc/${postmaster}/exe`);
  const data = join(dirname(source), `replica-${process.pid}-${Date.now()}`);
  await client.query(`SELECT pg_backup_start('replica', true)`);
  execFileSync('cp', ['-a', source, data]);
  const { rows: ended } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(data, name), { force: true });
  rmSync(join(data, 'pg_wal'), { recursive: true });
  execFileSync('cp', ['-a', join(source, 'pg_wal'), data]);
  writeFileSync(join(data, 'backup_label'), ended[0]!.labelfile);
  writeFileSync(join(data, 'standby.signal'), '');
  const { hostname, port, username, password } = new URL(primaryUrl);
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}'\n`,
  );
  execFileSync('chown', ['-R', `--reference=${source}`, data]);
  return { program, data };
}

async function query(url: string, sql: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
