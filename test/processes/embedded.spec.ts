import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createRedisServer } from 'js-redis-server';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandOf, until } from '../../src/platform/embedded/processes.js';
import { built } from '../support/built.js';
import { type EmbeddedOwner, startOwner } from '../support/embedded-owner.js';

// A first start writes and syncs 40 MB: five seconds when the machine is busy.

const isRoot = process.getuid?.() === 0;

let parent: string;
let dataDir: string;
const owners: EmbeddedOwner[] = [];

/** What a first start and a stop have left, to be copied: for the tests that are not about a first start. */
let usedBefore: string;

beforeAll(async () => {
  usedBefore = makeParent();
  await (await startOwner(join(usedBefore, 'data'))).end();
});

afterAll(() => removeParent(usedBefore));

beforeEach(() => {
  parent = makeParent();
  dataDir = join(parent, 'data');
});

afterEach(async () => {
  for (const owner of owners.splice(0)) await owner.end();
  removeParent(parent);
});

function makeParent(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-embedded-'));
  chmodSync(folder, 0o755);
  return folder;
}

function removeParent(folder: string): void {
  const home = join(folder, 'data/postgres');
  if (existsSync(home)) rmSync(realpathSync(home), { recursive: true });
  rmSync(folder, { recursive: true });
}

async function start(): Promise<EmbeddedOwner> {
  if (!existsSync(dataDir)) spawnSync('cp', ['-a', join(usedBefore, 'data'), dataDir]);
  return firstStart();
}

async function firstStart(): Promise<EmbeddedOwner> {
  const owner = await startOwner(dataDir);
  owners.push(owner);
  return owner;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

const remember = (url: string) => query(url, `create table remembered as select 'kept' as word`);
const recall = (url: string) => query(url, 'select word from remembered');

async function onRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

const pidFile = () => join(dataDir, 'postgres/data/postmaster.pid');
const postgresPid = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);

function redisState(): { pid: number; program: string; path: string } {
  const [generation] = readdirSync(join(dataDir, 'redis'));
  const path = join(dataDir, 'redis', generation!, 'state.json');
  return { ...(JSON.parse(readFileSync(path, 'utf8')) as { pid: number; program: string }), path };
}

const isGone = (pid: number) => until(() => commandOf(pid) === '', 15_000);

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

describe('servers of our own', () => {
  it('servers of our own are not started when others are configured', async () => {
    const { startEmbedded } = await built.embedded();
    const env = { dataDir, databaseUrl: 'postgres://elsewhere/db', redisUrl: 'redis://elsewhere' };
    const embedded = await startEmbedded(env, () => undefined);
    expect(embedded).toMatchObject({ databaseUrl: env.databaseUrl, redisUrl: env.redisUrl, parts: [] });
    await embedded.stop();
    expect(existsSync(dataDir)).toBe(false);
  });

  it('servers of our own keep the data between runs, and leave no process behind', async () => {
    const first = await firstStart();
    await remember(first.databaseUrl);
    const pids = [postgresPid(), redisState().pid];
    await first.end();
    expect(pids.map(commandOf)).toEqual(['', '']);

    const second = await start();
    expect(await recall(second.databaseUrl)).toEqual(['kept']);
  });

  it('servers of our own listen on 127.0.0.1 only, and let nobody in without the password', async () => {
    const { databaseUrl, redisUrl } = await start();
    for (const url of [new URL(databaseUrl), new URL(redisUrl)]) {
      expect(await canConnect('127.0.0.1', Number(url.port))).toBe(true);
      expect(await canConnect('127.0.0.2', Number(url.port))).toBe(false);
      url.password = 'guess';
      const asked =
        url.protocol === 'redis:' ? onRedis(url.href, (redis) => redis.ping()) : query(url.href, 'select 1');
      await expect(asked).rejects.toThrow();
    }
    const withoutPassword = onRedis(`redis://127.0.0.1:${new URL(redisUrl).port}`, (redis) => redis.ping());
    await expect(withoutPassword).rejects.toThrow();
    expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
    expect(statSync(redisState().path).mode & 0o777).toBe(0o600);
  });

  it('servers of our own write to disk what they promise to keep', async () => {
    const { databaseUrl } = await start();
    expect(await query(databaseUrl, 'show fsync')).toEqual(['on']);
    expect(await query(databaseUrl, 'show synchronous_commit')).toEqual(['on']);
    expect(await query(databaseUrl, 'show full_page_writes')).toEqual(['on']);
  });

  it('servers of our own are joined by the next run when the one that started them was killed', async () => {
    const killed = await start();
    await remember(killed.databaseUrl);
    const pid = postgresPid();
    await killed.kill();

    const next = await start();
    expect(next.databaseUrl).toBe(killed.databaseUrl);
    expect(next.redisUrl).toBe(killed.redisUrl);
    expect(await recall(next.databaseUrl)).toEqual(['kept']);
    await next.end();
    expect(commandOf(pid)).toBe('');
  });

  it('servers of our own recover when they were killed themselves', async () => {
    const owner = await start();
    await remember(owner.databaseUrl);
    const pids = [postgresPid(), redisState().pid];
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await owner.end();

    const next = await start();
    expect(await recall(next.databaseUrl)).toEqual(['kept']);
    expect(await onRedis(next.redisUrl, (redis) => redis.ping())).toBe('PONG');
  });

  it('servers of our own recover when the number of the killed server has gone to another program', async () => {
    const owner = await start();
    await remember(owner.databaseUrl);
    process.kill(postgresPid(), 'SIGKILL');
    await owner.end();
    // Of the same user, else PostgreSQL sees by itself that it cannot be its own.
    const { uid, gid } = statSync(join(dataDir, 'postgres/data'));
    const other = spawn('sleep', ['300'], isRoot ? { uid, gid, cwd: '/' } : {});
    await once(other, 'spawn');
    const lines = readFileSync(pidFile(), 'utf8').split('\n');
    writeFileSync(pidFile(), [other.pid, ...lines.slice(1)].join('\n'));

    const next = await start();
    expect(await recall(next.databaseUrl)).toEqual(['kept']);
    expect(commandOf(other.pid!)).toContain('sleep');
    other.kill();
  });

  it('servers of our own are shared by copies that start at once, and stopped by the last one out', async () => {
    const [one, two, three] = await Promise.all([firstStart(), firstStart(), firstStart()]);
    expect(new Set([one, two, three].map((owner) => owner.databaseUrl)).size).toBe(1);
    expect(new Set([one, two, three].map((owner) => owner.redisUrl)).size).toBe(1);
    const pids = [postgresPid(), redisState().pid];
    await remember(one.databaseUrl);
    await one.end();
    await two.kill();
    expect(await recall(three.databaseUrl)).toEqual(['kept']);
    expect(await onRedis(three.redisUrl, (redis) => redis.ping())).toBe('PONG');
    await three.end();
    expect(pids.map(commandOf)).toEqual(['', '']);
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'redis']);
    expect(readdirSync(join(dataDir, 'redis'))).toHaveLength(1);
  });

  it('servers of our own are had by everybody when copies come and go at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      const leaving = await start();
      const [, coming] = await Promise.all([leaving.end(), start()]);
      expect(await query(coming.databaseUrl, 'select 1')).toEqual([1]);
      expect(await onRedis(coming.redisUrl, (redis) => redis.ping())).toBe('PONG');
      await coming.end();
    }
  });

  it('servers of our own stay when somebody else is connected', async () => {
    const owner = await start();
    const visitor = new pg.Client({ connectionString: owner.databaseUrl });
    await visitor.connect();
    const guest = new Redis(owner.redisUrl);
    await guest.ping();
    const pids = [postgresPid(), redisState().pid];
    await owner.end();
    expect((await visitor.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(await guest.ping()).toBe('PONG');
    await visitor.end();
    guest.disconnect();
    await (await start()).end();
    expect(pids.map(commandOf)).toEqual(['', '']);
  });

  it('servers of our own forget what a start that was killed had prepared', async () => {
    const gone = spawn('true');
    await once(gone, 'exit');
    mkdirSync(join(dataDir, `postgres.new-${gone.pid}`, 'data'), { recursive: true });
    await firstStart();
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'redis']);
  });

  it('servers of our own say what PostgreSQL says when it does not start', async () => {
    await (await start()).end();
    writeFileSync(join(dataDir, 'postgres/data/PG_VERSION'), '9\n');
    await expect(startOwner(dataDir)).rejects.toThrow(/initialized by PostgreSQL version 9/);
  });

  it('servers of our own are not mistaken for a stranger who has the port now', async () => {
    const owner = await start();
    await owner.end();
    const { path } = redisState();
    const stranger = await createRedisServer();
    const state = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...state, port: stranger.port }));
    const next = await start();
    expect(new URL(next.redisUrl).port).not.toBe(String(stranger.port));
    expect(await onRedis(next.redisUrl, (redis) => redis.ping())).toBe('PONG');
    await next.end();
    await stranger.close();
  });

  it('servers of our own leave no js-redis-server behind when the service was killed and does not come back', async () => {
    const owner = await start();
    const { pid, program } = redisState();
    await owner.kill();
    // A native Redis stays until the next run, as PostgreSQL does.
    if (program === 'js-redis-server') expect(await isGone(pid)).toBe(true);
    await (await start()).end();
  });
});

describe.runIf(isRoot)('started by root', () => {
  it('PostgreSQL runs as another user', async () => {
    await start();
    expect(statSync(`/proc/${postgresPid()}`).uid).not.toBe(0);
  });

  it('PostgreSQL runs although nobody else may enter the directory of the checkout, and keeps its data', async () => {
    chmodSync(parent, 0o700);
    const first = await firstStart();
    await remember(first.databaseUrl);
    expect(realpathSync(join(dataDir, 'postgres'))).toMatch(/^\/var\/lib\/mailsonde\//);
    await first.end();

    const second = await start();
    expect(await recall(second.databaseUrl)).toEqual(['kept']);
    await second.end();

    rmSync(realpathSync(join(dataDir, 'postgres')), { recursive: true });
    const third = await start();
    await expect(recall(third.databaseUrl)).rejects.toThrow(/does not exist/);
  });
});
