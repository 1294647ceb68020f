import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';

import { freePort } from '../batch/world.js';

/** What PostgreSQL and PgBouncer run as: neither starts for root. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

const started = new Set<ChildProcess>();
process.once('exit', () => started.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

function start(folder: string, name: string, command: string, options: readonly string[], user?: User): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'a');
  const child = spawn(command, options, { stdio: ['ignore', log, log], cwd: folder, ...user });
  started.add(child);
  child.once('exit', () => started.delete(child));
  return child;
}

/** Resolves when the port takes connections. */
export async function isOpen(port: number, whose: string, seconds = 60): Promise<void> {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await delay(100)) {
    const answers = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
    });
    if (answers) return;
  }
  throw new Error(`${whose} does not listen on port ${port}`);
}

export interface Server {
  readonly port: number;
  readonly child: ChildProcess;
}

/** The programs of PostgreSQL, with data in this folder. */
export function postgresIn(folder: string, programs: string, user: User) {
  const run = (name: string, options: readonly string[]) =>
    execFileSync(join(programs, name), options, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const isReady = (port: number): boolean => {
    try {
      run('pg_isready', ['-h', '127.0.0.1', '-p', String(port)]);
      return true;
    } catch {
      return false;
    }
  };
  const serve = async (name: string, port: number, settings: readonly string[]): Promise<Server> => {
    const all = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=300',
      ...settings,
    ];
    const options = ['-D', join(folder, name), ...all.flatMap((setting) => ['-c', setting])];
    const child = start(folder, name, join(programs, 'postgres'), options, user);
    await isOpen(port, name);
    // It takes connections before it answers them.
    for (let tries = 1; !isReady(port); tries++) {
      if (tries > 300) throw new Error(`${name} does not answer`);
      await delay(100);
    }
    return { port, child };
  };
  /** @param name of a folder that is not there yet */
  const init = (name: string) =>
    run('initdb', ['-D', join(folder, name), '-U', 'mailsonde', '-A', 'trust', '-E', 'UTF8', '--locale=C']);
  return { run, serve, init };
}

/**
 * A primary that waits at each commit for its replica, so that nothing that was committed is lost with it, and PgBouncer in session mode before
 * both.
 */
export async function startPostgres(folder: string, programs: string, user: User) {
  const { run, serve, init } = postgresIn(folder, programs, user);
  init('primary');
  const primary = await serve('primary', await freePort(), []);
  const at = ['-h', '127.0.0.1', '-U', 'mailsonde', '-p', String(primary.port)];
  run('createdb', [...at, 'mailsonde']);
  const source = `host=127.0.0.1 port=${primary.port} user=mailsonde application_name=replica`;
  run('pg_basebackup', ['-d', source, '-D', join(folder, 'replica'), '-R', '-X', 'stream', '-c', 'fast']);
  const replica = await serve('replica', await freePort(), []);
  run('psql', [...at, '-d', 'mailsonde', '-c', `ALTER SYSTEM SET synchronous_standby_names = 'replica'`]);
  run('psql', [...at, '-d', 'mailsonde', '-c', 'SELECT pg_reload_conf()']);

  const bouncerPort = await freePort();
  const write = (port: number) =>
    writeFileSync(
      join(folder, 'pgbouncer.ini'),
      `[databases]
mailsonde = host=127.0.0.1 port=${port} user=mailsonde
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${bouncerPort}
unix_socket_dir =
auth_type = any
pool_mode = session
max_client_conn = 500
default_pool_size = 200
server_login_retry = 1
server_connect_timeout = 2
ignore_startup_parameters = extra_float_digits
`,
    );
  write(primary.port);
  const bouncer = start(folder, 'pgbouncer', 'pgbouncer', [join(folder, 'pgbouncer.ini')], user);
  await isOpen(bouncerPort, 'PgBouncer');
  return {
    url: `postgres://mailsonde@127.0.0.1:${bouncerPort}/mailsonde`,
    replicaUrl: `postgres://mailsonde@127.0.0.1:${replica.port}/mailsonde`,
    /** As whoever watches over PostgreSQL does: Patroni, repmgr or a person. */
    failOver: () => {
      primary.child.kill('SIGKILL');
      // Its processes of each connection end with it, as they do when a machine goes.
      run('pg_ctl', ['promote', '-w', '-D', join(folder, 'replica')]);
      write(replica.port);
      bouncer.kill('SIGHUP');
    },
  };
}

/** A Redis that keeps nothing. */
export async function serveRedis(folder: string, name: string, options: readonly string[] = []): Promise<Server> {
  const port = await freePort();
  const all = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options];
  const child = start(folder, name, 'redis-server', all);
  await isOpen(port, name);
  return { port, child };
}

/** A primary, a replica, and three sentinels that watch over them. */
export async function startRedis(folder: string) {
  const primary = await serveRedis(folder, 'redis-1');
  await serveRedis(folder, 'redis-2', ['--replicaof', '127.0.0.1', String(primary.port)]);
  const sentinels: number[] = [];
  for (const number of [1, 2, 3]) {
    const port = await freePort();
    const file = join(folder, `sentinel-${number}.conf`);
    writeFileSync(
      file,
      `port ${port}
bind 127.0.0.1
dir ${folder}
sentinel monitor mailsonde 127.0.0.1 ${primary.port} 2
sentinel down-after-milliseconds mailsonde 1000
sentinel failover-timeout mailsonde 6000
`,
    );
    start(folder, `sentinel-${number}`, 'redis-sentinel', [file]);
    await isOpen(port, `sentinel ${number}`);
    sentinels.push(port);
  }
  return {
    url: `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/mailsonde/0`,
    killPrimary: () => primary.child.kill('SIGKILL'),
  };
}

/** Three primaries of a Redis Cluster with a replica each. */
export async function startRedisCluster(folder: string) {
  const nodes: Server[] = [];
  for (let number = 1; number <= 6; number++) {
    const bus = ['--cluster-port', String(await freePort()), '--cluster-node-timeout', '2000'];
    const own = ['--cluster-enabled', 'yes', '--cluster-config-file', `node-${number}.conf`, ...bus];
    nodes.push(await serveRedis(folder, `node-${number}`, own));
  }
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const create = ['--cluster', 'create', ...hosts, '--cluster-replicas', '1', '--cluster-yes'];
  execFileSync('redis-cli', create, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return {
    url: `redis+cluster://${hosts.join(',')}`,
    /** Kills the primary that has the slot of a key. */
    killHolderOf: async (key: string) => {
      const client = new Redis(nodes.find(({ child }) => child.signalCode === null)!.port, '127.0.0.1');
      const slot = await client.cluster('KEYSLOT', key);
      const ranges = await client.cluster('SLOTS');
      client.disconnect();
      const [, , holder] = ranges.find(([from, to]) => from <= slot && slot <= to)!;
      nodes.find(({ port }) => port === holder![1])!.child.kill('SIGKILL');
    },
  };
}

/** HAProxy before the processes of role api on these ports. */
export async function startBalancer(folder: string, ports: readonly number[]) {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `global
  maxconn 2000
defaults
  mode http
  option redispatch
  retries 3
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend all
  bind 127.0.0.1:${port}
  default_backend api
backend api
  balance leastconn
  option httpchk GET /readyz
${ports.map((at, i) => `  server api${i + 1} 127.0.0.1:${at} check inter 500ms fall 2 rise 1`).join('\n')}
`,
  );
  const child = start(folder, 'haproxy', 'haproxy', ['-W', '-f', file]);
  await isOpen(port, 'HAProxy');
  return { port, reload: () => child.kill('SIGUSR2') };
}

export function folderFor(path: string, { uid, gid }: User): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
  chownSync(path, uid, gid);
}

/** Ends all that was started here. */
export async function stopAll(): Promise<void> {
  const left = [...started];
  const ended = left.map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of left) child.kill('SIGTERM');
  await Promise.race([Promise.all(ended), delay(5_000)]);
  for (const child of started) child.kill('SIGKILL');
}
