import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { generateToken } from '../../src/keys/access/token.js';
import { builtFile } from '../support/built.js';
import { createFullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call } from '../support/call.js';
import { runCommand } from '../support/command.js';
import { createTestDatabase } from '../support/database.js';
import { startProcess } from '../support/process.js';
import { startService } from '../support/service.js';

/** The built command line as a process of its own, away from any `.env`. */
async function admin(variables: Readonly<Record<string, string | undefined>>, ...argv: string[]) {
  const child = spawn(process.execPath, [builtFile('src/cli/admin.js'), ...argv], {
    cwd: tmpdir(),
    // What else answers on this machine is no service of these tests.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], MAILSONDE_SERVER: 'http://127.0.0.1:1', ...variables },
  });
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  const [exit] = (await once(child, 'close')) as [number];
  return { exit, out, error };
}

it('the command works on DATABASE_URL, without Redis', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const variables = { DATABASE_URL: database.url, REDIS_URL: 'redis://127.0.0.1:1' };
  const { exit, out, error } = await admin(variables, 'create-key', '--name', 'alice', '--json');
  expect([exit, error]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({ name: 'alice', api_key: expect.stringMatching(/^ms_admin_/) });
});

it('the command says of the key that it makes when the service that answers has another database and does not know it', async () => {
  const service = await startService();
  const database = await createTestDatabase();
  onTestFinished(async () => {
    await service.close();
    await database.drop();
  });
  const create = (url: string) =>
    admin({ DATABASE_URL: url, MAILSONDE_SERVER: service.url }, 'create-key', '--name', 'alice', '--json');
  const [own, other] = [await create(service.env.databaseUrl), await create(database.url)];
  expect([own.exit, own.error]).toEqual([0, '']);
  expect([other.exit, other.error]).toEqual([
    0,
    `The service at ${service.url} does not know this key: its database is another one. DATA_DIR or DATABASE_URL names it.\n`,
  ]);
});

it('the command shows a new admin key to no program but the one that MAILSONDE_SERVER names', async () => {
  const database = await createTestDatabase();
  const asked: (string | undefined)[] = [];
  // It answers as a service does, at the address that is the default one for its port.
  const recorder = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(401, { 'x-request-id': 'recorded' }).end();
  }).listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  onTestFinished(async () => {
    recorder.close();
    await database.drop();
  });
  const { port } = recorder.address() as AddressInfo;
  const create = (variables: Readonly<Record<string, string | undefined>>) =>
    admin({ DATABASE_URL: database.url, ...variables }, 'create-key', '--name', 'alice', '--json');
  const url = `http://127.0.0.1:${port}`;
  for (const variables of [{ PORT: String(port) }, { PUBLIC_URL: url }])
    expect(await create({ MAILSONDE_SERVER: undefined, ...variables })).toMatchObject({ exit: 0, error: '' });
  expect(asked).toEqual([]);
  const { out, error } = await create({ MAILSONDE_SERVER: url });
  expect(asked).toEqual([`Bearer ${JSON.parse(out).api_key}`]);
  expect(error).toContain(`The service at ${url} does not know this key`);
});

it('the command asks the running service, and reads a token from standard input, where no list of processes shows it', async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const { accountId, testKey } = await createFullAccount({ url: service.env.databaseUrl });
  const variables = { MAILSONDE_SERVER: service.url, MAILSONDE_ADMIN_KEY: await createAdminKey(service) };
  for (const argv of [['keys', 'lookup'], ['search']]) {
    const { exit, stdout } = await runCommand('src/cli/admin.js', [...argv, '--json'], variables, `${testKey}\n`);
    expect([exit, stdout]).toEqual([0, expect.stringContaining(`"id":"${accountId}"`)]);
  }
});

it('the command whose key the service does not take names the service that it asked, and where both are set', async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const { testKey } = await createFullAccount({ url: service.env.databaseUrl });
  const others = 'MAILSONDE_SERVER or --server names another one, MAILSONDE_ADMIN_KEY or --key another key.';
  for (const [key, code] of [
    [testKey, 'admin_required'],
    [generateToken('admin'), 'key_unknown'],
  ] as const) {
    const variables = { MAILSONDE_SERVER: service.url, MAILSONDE_ADMIN_KEY: key };
    const { exit, out, error } = await admin(variables, 'accounts', 'list');
    expect([exit, out]).toEqual([1, '']);
    expect(error).toContain(`(${code})`);
    expect(error).toContain(`\nThe service at ${service.url} was asked: ${others}\n`);
    expect(error).not.toContain(key);
  }
  // What is refused for another reason is about what was typed.
  const variables = { MAILSONDE_SERVER: service.url, MAILSONDE_ADMIN_KEY: await createAdminKey(service) };
  expect((await admin(variables, 'accounts', 'show', 'nonsense')).error).not.toContain(service.url);
});

it('the command says without a key which one it needs, where it looks for it and how to make one, and names a service that is away', async () => {
  const variables = { MAILSONDE_SERVER: 'http://127.0.0.1:1' };
  expect(await admin(variables, 'accounts', 'list')).toEqual({
    exit: 78,
    out: '',
    error:
      'MAILSONDE_ADMIN_KEY is not set: allowed is an admin key of http://127.0.0.1:1, as a variable, in a line of .env, in the file of MAILSONDE_ADMIN_KEY_FILE or by --key; "npm run admin -- create-key --name <who>" makes one on the database of the service.\n',
  });
  const away = await admin(variables, 'accounts', 'list', '--key', 'ms_admin_x');
  expect([away.exit, away.out]).toEqual([69, '']);
  expect(away.error).toMatch(
    /^The service at http:\/\/127\.0\.0\.1:1 could not be reached, [^\n]+ MAILSONDE_SERVER or --server names another service\.\n$/,
  );
});

it('the command tells a person which database it works on, without the password, and to a program nothing but the reply', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { host, pathname, password } = new URL(database.url);
  const { exit, out, error } = await admin({ DATABASE_URL: database.url }, 'credits', 'audit');
  expect([exit, error]).toEqual([0, `Database: postgres://${host}${pathname} (DATABASE_URL)\n`]);
  expect(password).not.toBe('');
  expect(out + error).not.toContain(password);
  expect((await admin({ DATABASE_URL: database.url }, 'credits', 'audit', '--json')).error).toBe('');
});

it('the command makes no database to look at it: it says where it has looked, and what to set', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-admin-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const place = join(folder, 'data');
  const commands = [['status'], ['credits', 'audit', '--json'], ['monitors', 'late']];
  const ended = await Promise.all(commands.map((argv) => admin({ DATA_DIR: place }, ...argv)));
  for (const [at, { exit, out, error }] of ended.entries()) {
    expect([exit, out], commands[at]!.join(' ')).toEqual([78, '']);
    expect(error).toMatch(
      /^DATA_DIR is "[^"]+": allowed is a directory with a database, and [^\n]+ set DATABASE_URL\.\n$/,
    );
    expect(error).toContain(place);
  }
  expect(existsSync(place)).toBe(false);
});

it('the command makes no second database beside a service whose directory it was not told, and names both', async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-admin-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const place = join(folder, 'data');
  const variables = { DATA_DIR: place, MAILSONDE_SERVER: service.url };
  const { exit, out, error } = await admin(variables, 'create-key', '--name', 'alice');
  expect([exit, out]).toEqual([78, '']);
  expect(error).toContain(`the directory of the service that answers at ${service.url}: ${place} has no database`);
  expect(error).toContain('set DATABASE_URL');
  expect(existsSync(place)).toBe(false);
});

it('the command names the fault of the configuration, with exit code 78, and that the database is away, with 70', async () => {
  const wrong = await admin({ DATABASE_URL: 'mysql://x' }, 'status');
  expect([wrong.exit, wrong.out]).toEqual([78, '']);
  expect(wrong.error).toContain('DATABASE_URL');
  const away = await admin({ DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' }, 'status');
  expect([away.exit, away.out]).toEqual([70, '']);
  expect(away.error).toMatch(
    /\nThe database is not reachable: [^\n]*ECONNREFUSED[^\n]*DATABASE_URL says where it is\.\n$/,
  );
});

it('the command works on the embedded database: alone, beside the running service, and the service takes what it makes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-admin-'));
  chmodSync(folder, 0o755); // So that as root the server's user gets to its data.
  onTestFinished(() => {
    rmSync(realpathSync(join(folder, 'postgres')), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });
  const first = await admin({ DATA_DIR: folder }, 'create-key', '--name', 'carol');
  expect([first.exit, first.error]).toEqual([
    0,
    `Database: the embedded one in ${folder} (DATA_DIR), which is made now; DATA_DIR or DATABASE_URL names another\n`,
  ]);
  const alone = await admin({ DATA_DIR: folder }, 'create-key', '--name', 'alice', '--json');
  expect([alone.exit, alone.error]).toEqual([0, '']);
  const service = await startProcess({ DATA_DIR: folder, SECRETS_KEY: '' });
  try {
    const { api_key: key } = JSON.parse(alone.out) as { api_key: string };
    expect((await call(service, '/admin/v1/pool', { key })).status).toBe(200);
    // The demonstration's keys are shown once, and the service that shows them takes them.
    const [test] = /ms_test_\w{38}/.exec(service.output())!;
    expect((await call(service, '/api/v1/credits', { key: test })).status).toBe(200);
    const access = { MAILSONDE_SERVER: service.url, MAILSONDE_ADMIN_KEY: key };
    const beside = await admin(access, 'accounts', 'list', '--json');
    const told = await admin({ DATA_DIR: folder }, 'credits', 'audit');
    expect(told.error).toBe(`Database: the embedded one in ${folder} (DATA_DIR)\n`);
    expect(JSON.parse(beside.out).accounts).toMatchObject([{ name: 'Demonstration', plan: 'free' }]);
    expect((await call(service, '/admin/v1/pool', { key })).status).toBe(200);
    const made = await admin({ DATA_DIR: folder }, 'create-key', '--name', 'bob', '--json');
    expect((await call(service, '/admin/v1/pool', { key: JSON.parse(made.out).api_key })).status).toBe(200);
  } finally {
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  }
});
