import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { builtFile } from '../support/built.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort, runProcess, type SpawnedProcess, spawnProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';

/** Nowhere but in the URLs: if it is printed, a password is. */
const PASSWORD = 'Pass-w0rd-that-nobody-may-read';

let database: TestDatabase;
let redisUrl: string;
let dataDir: string;
let PORT: string;
const endings: (() => unknown)[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  redisUrl = (await testRedis()).url;
  PORT = String(await freePort());
  dataDir = mkdtempSync(join(tmpdir(), 'mailsonde-start-'));
});

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What is done with a connection. */
type Manners = (socket: Socket) => void;

/** In the words of PostgreSQL's protocol (section 54.7, ErrorResponse), as it is said to who connects while it recovers. */
const recovering: Manners = (socket) => {
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', ''].join('\0');
  const body = Buffer.from(`${fields}\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  socket.once('data', () => socket.end(Buffer.concat([head, body])));
};

const forwardTo =
  (url: string): Manners =>
  (socket) => {
    const { hostname, port } = new URL(url);
    const upstream = connect(Number(port), hostname);
    for (const one of [socket, upstream]) one.on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
    socket.once('close', () => upstream.destroy());
  };

/** Forwards until a client sends `text`, which PostgreSQL never gets: from then on it recovers. */
const forwardUntil =
  (text: string, place: { manners: Manners }): Manners =>
  (socket) => {
    socket.on('data', (sent) => {
      if (!sent.includes(text)) return;
      place.manners = recovering;
      socket.destroy();
    });
    forwardTo(database.url)(socket);
  };

/** A place where a server may be, or come to be. */
async function listenOn(port: number, manners: Manners) {
  const place = { manners, port };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    place.manners(socket);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  endings.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return place;
}

function at(url: string, port: number, password?: string): string {
  const moved = new URL(url);
  moved.port = String(port);
  if (password !== undefined) moved.password = password;
  return moved.href;
}

function start(variables: Readonly<Record<string, string>>): SpawnedProcess {
  const service = spawnProcess({
    PORT,
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    DATA_DIR: dataDir,
    ...variables,
  });
  endings.push(async () => {
    service.kill('SIGKILL');
    await service.ended;
  });
  return service;
}

const servers = [
  ['DATABASE_URL', 'PostgreSQL', () => database.url],
  ['REDIS_URL', 'Redis', () => redisUrl],
] as const;

it('npm run migrate without a PostgreSQL ends with one line that names DATABASE_URL', async () => {
  const variables = { DATABASE_URL: at(database.url, await freePort(), PASSWORD), START_WAIT: '0' };
  const { exit, output } = await runProcess(variables, builtFile('src/cli/migrate.js'));
  expect(exit).toBe(1);
  expect(output).toBe('DATABASE_URL: PostgreSQL was not there within 0 s (START_WAIT): the connection is refused.\n');
});

describe('a start', () => {
  it('a start waits for a PostgreSQL that is not there yet and then recovers, says so, and goes on', async () => {
    const port = await freePort();
    const service = start({ DATABASE_URL: at(database.url, port) });
    await service.says(
      /PostgreSQL \(DATABASE_URL\) is not there yet: the connection is refused\. Waiting for it, 60 s/,
    );
    const place = await listenOn(port, recovering);
    await service.says(/PostgreSQL \(DATABASE_URL\) is not there yet: it says \\?"the database system is starting up/);
    place.manners = forwardTo(database.url);
    await service.says(/PostgreSQL \(DATABASE_URL\) is there\./);
    await service.says(/Listening on http/);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it('a start waits for a Redis that is not there yet', async () => {
    const port = await freePort();
    const service = start({ REDIS_URL: at(redisUrl, port) });
    await service.says(/Redis \(REDIS_URL\) is not there yet: the connection is refused/);
    await listenOn(port, forwardTo(redisUrl));
    await service.says(/Redis \(REDIS_URL\) is there\./);
    await service.says(/Listening on http/);
  });

  it.each([
    ['during the migrations', 'pg_try_advisory_lock', /PostgreSQL went away during the migrations: /],
    [
      'before the connections of the service',
      'application_name\0mailsonde\0',
      /PostgreSQL went away during the start: /,
    ],
  ])('a start whose PostgreSQL is killed %s waits for it and goes on', async (_, text, notice) => {
    const place = await listenOn(await freePort(), () => undefined);
    place.manners = forwardUntil(text, place);
    const service = start({ DATABASE_URL: at(database.url, place.port) });
    await service.says(notice);
    place.manners = forwardTo(database.url);
    await service.says(/Listening on http/);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it('a start whose PostgreSQL is killed during the migrations and stays away ends with one line', async () => {
    const place = await listenOn(await freePort(), () => undefined);
    place.manners = forwardUntil('pg_try_advisory_lock', place);
    const variables = { DATABASE_URL: at(database.url, place.port), REDIS_URL: redisUrl, DATA_DIR: dataDir };
    const { exit, output } = await runProcess({ PORT, ...variables, START_WAIT: '1' });
    expect(exit).toBe(1);
    // Which of its answers was the last depends on how much a busy machine lets a start try in its second.
    expect(output.trimEnd().split('\n').at(-1)).toMatch(
      /^The start failed because PostgreSQL went away: [^.]+\. Start the service again when it is back\.$/,
    );
    expect(output).not.toMatch(/\n\s+at /);
  });

  it('a start is given up by SIGTERM while it waits', async () => {
    const service = start({ REDIS_URL: at(redisUrl, await freePort()) });
    await service.says(/is not there yet/);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it.each(servers)(
    'a start without a server at %s ends with one line that names it, and shows no key and no password',
    async (variable, name, url) => {
      const { [variable]: _, ...others } = { DATABASE_URL: database.url, REDIS_URL: redisUrl };
      const elsewhere = at(url(), await freePort(), PASSWORD);
      // Without the other URL that part would be the embedded one, whose demonstration keys the banner shows.
      const rest = variable === 'REDIS_URL' ? {} : others;
      const { exit, output } = await runProcess({
        PORT,
        ...rest,
        DATA_DIR: dataDir,
        [variable]: elsewhere,
        START_WAIT: '1',
      });
      expect(exit).toBe(1);
      const last = output.trimEnd().split('\n').at(-1);
      expect(last).toBe(`${variable}: ${name} was not there within 1 s (START_WAIT): the connection is refused.`);
      expect(output).not.toMatch(/ms_(live|test|admin)_|\n\s+at /);
      expect(output).not.toContain(PASSWORD);
    },
  );

  it.each(servers)(
    'a start with a server at %s that hangs ends with one line that names it as well',
    async (variable, name, url) => {
      const { port } = await listenOn(await freePort(), () => undefined);
      const variables = { DATABASE_URL: database.url, REDIS_URL: redisUrl, [variable]: at(url(), port, PASSWORD) };
      const { exit, output } = await runProcess({ PORT, ...variables, START_WAIT: '0' });
      expect(exit).toBe(1);
      expect(output.trimEnd().split('\n').at(-1)).toBe(
        `${variable}: ${name} was not there within 0 s (START_WAIT): it does not answer.`,
      );
      expect(output).not.toContain(PASSWORD);
    },
  );

  it.each([
    [
      'a wrong password',
      'DATABASE_URL',
      () => at(database.url, Number(new URL(database.url).port), PASSWORD),
      /password authentication failed/,
    ],
    [
      'a database that does not exist',
      'DATABASE_URL',
      () => new URL('/nowhere', database.url).href,
      /"nowhere" does not exist/,
    ],
    ['a wrong password', 'REDIS_URL', () => at(redisUrl, Number(new URL(redisUrl).port), PASSWORD), /WRONGPASS|NOAUTH/],
  ] as const)('a start with %s in %s ends at once, because waiting mends nothing', async (_, variable, url, why) => {
    const variables = { DATABASE_URL: database.url, REDIS_URL: redisUrl, [variable]: url() };
    const { exit, output } = await runProcess({ PORT, ...variables, START_WAIT: '3600' });
    expect(exit).toBe(78);
    const [line, ...more] = output.trimEnd().split('\n');
    expect(more).toEqual([]);
    expect(line).toMatch(new RegExp(`^${variable} is `));
    expect(line).toMatch(why);
    expect(output).not.toContain(PASSWORD);
    expect(output).not.toContain(decodeURIComponent(new URL(inject('postgres').serverUrl).password));
  });
});
