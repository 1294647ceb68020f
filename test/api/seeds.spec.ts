import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:https';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { AccessTokens } from '../../src/deliverability/placement/seeds/seed-credentials.js';
import { IMAP_LIMITS } from '../../src/deliverability/placement/seeds/mailbox-access.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey, runAdmin } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { selfSigned } from '../support/certificate.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { type ScriptedImapServer, startScriptedImapServer } from '../support/scripted-imap-server.js';
import { startService, type TestService } from '../support/service.js';

const PATH = '/admin/v1/placement/seeds';
const NOBODY = '00000000-0000-4000-8000-000000000000';

let database: TestDatabase;
let service: TestService;
let imap: ScriptedImapServer;
let account: FullAccount;
let key: string;

beforeAll(async () => {
  imap = await startScriptedImapServer({
    folders: [
      { path: 'INBOX', mails: [] },
      { path: 'Junk', flags: ['\\Junk'], mails: [] },
    ],
  });
  database = await createTestDatabase();
  account = await createFullAccount(database);
  // Without workers, which would read mailboxes beside the tests.
  service = await startService({ database, env: { imapAllowPrivate: true, role: 'api' } });
  key = await createAdminKey(service);
});

afterAll(async () => {
  await service.close();
  await imap.close();
  await database.drop();
});

beforeEach(() => onDatabase(database.url, 'DELETE FROM placement_seeds').then(() => undefined));

const admin = (path = '', body?: object) => call(service, `${PATH}${path}`, { key, ...(body && { body }) });

const wanted = (change: object = {}) => ({
  provider: 'other',
  address: 'Seed@Mail.test',
  host: '127.0.0.1',
  port: imap.port,
  security: 'none',
  password: 'pass',
  ...change,
});

describe('an administrator', () => {
  it('an administrator adds a mailbox, tests it, gives it another password, turns it off and on, all on record', async () => {
    const { status, body: made } = await admin('', wanted());
    expect([status, made]).toMatchObject([
      201,
      { address: 'seed@mail.test', login: 'Seed@Mail.test', state: 'on', usable: false },
    ]);
    const { body: refused } = await admin(`/${made.id}/test`, {});
    // The server knows the login in small letters.
    expect(refused).toMatchObject({
      readable: false,
      fault: 'login_refused',
      failures: 0,
      usable: false,
      folders: null,
    });
    const { body: again } = await admin('', wanted({ address: 'b@mail.test', login: 'seed@mail.test' }));
    const { body: read } = await admin(`/${again.id}/test`, {});
    expect(read).toMatchObject({ readable: true, fault: null, folders: 2, has_junk: true, usable: true, why: null });
    expect((await call(service, '/api/v1/placement/seeds', { key: account.liveKey })).body).toMatchObject({
      providers: [{ provider: 'other', seeds: 1 }],
    });
    expect((await admin(`/${again.id}/off`, { reason: 'burned' })).body).toMatchObject({
      state: 'off',
      why: 'burned',
      usable: false,
    });
    expect((await admin(`/${again.id}/test`, {})).body).toMatchObject({ readable: true, state: 'off', why: 'burned' });
    expect((await call(service, '/api/v1/placement/seeds', { key: account.liveKey })).body).toMatchObject({
      providers: [],
    });
    expect((await admin(`/${again.id}/on`, {})).body).toMatchObject({ state: 'on', usable: false, why: null });
    expect((await admin(`/${again.id}/rotate`, { password: 'wrong' })).body).toMatchObject({ state: 'on' });
    expect((await admin(`/${again.id}/test`, {})).body).toMatchObject({ readable: false, fault: 'login_refused' });
    const { body: log } = await call(service, '/admin/v1/audit', { key });
    const actions = log.entries.map(({ act }: { act: string }) => act).filter((act: string) => act.startsWith('seed.'));
    expect(actions).toEqual([
      'seed.test',
      'seed.rotate',
      'seed.on',
      'seed.test',
      'seed.off',
      'seed.test',
      'seed.add',
      'seed.test',
      'seed.add',
    ]);
  });

  it('an administrator is never shown what opens a mailbox, and nor is who reads the database', async () => {
    const secret = 'geheim-0815';
    const { body: made } = await admin('', wanted({ password: secret }));
    const replies = [
      made,
      (await admin()).body,
      (await admin(`/${made.id}/test`, {})).body,
      (await admin(`/${made.id}/rotate`, { password: secret })).body,
    ];
    const log = (await call(service, '/admin/v1/audit', { key })).body;
    const rows = await onDatabase(database.url, `SELECT encode(credentials, 'escape') AS text FROM placement_seeds`);
    expect(JSON.stringify([replies, log, rows])).not.toContain(secret);
    expect(JSON.stringify(replies)).not.toMatch(/"(credentials|sealed|password)"/);
  });

  it.each<[string, object, string]>([
    ['no password', { password: undefined }, 'password'],
    ['an empty password', { password: '' }, 'password'],
    ['both', { refresh_token: 'x', token_url: 'https://a.test', client_id: 'c' }, 'refresh_token'],
    ['a token without a URL', { password: null, refresh_token: 'x', client_id: 'c' }, 'token_url'],
    ['a token without a client', { password: null, refresh_token: 'x', token_url: 'https://a.test/t' }, 'client_id'],
    [
      'a URL in clear',
      { password: null, refresh_token: 'x', token_url: 'http://a.test/t', client_id: 'c' },
      'token_url',
    ],
    ['a NUL in the password', { password: 'a\0b' }, 'password'],
    ['a NUL in the address', { address: 'a\0@mail.test' }, 'address'],
    ['a NUL in the login', { login: 'a\0' }, 'login'],
    ['no address', { address: 'mail.test' }, 'address'],
    ['a host of other letters', { host: 'a b' }, 'host'],
    ['a port that is none', { port: 70_000 }, 'port'],
    ['a provider that is none', { provider: 'nobody' }, 'provider'],
    ['a provider that has no host', { host: null }, 'host'],
    ['a security that is none', { security: 'ssl' }, 'security'],
    ['a name of servers that is none', { authserv_id: 'a*b' }, 'authserv_id'],
  ])('an administrator is refused %s', async (_, change, field) => {
    const { status, body } = await admin('', wanted(change));
    expect([status, body.code, body.details?.fields?.[0]?.field ?? body.fields?.[0]?.field]).toEqual([
      422,
      'invalid_input',
      field,
    ]);
  });

  it('an administrator is told of mailboxes that are there, and of those that are not', async () => {
    const { body: made } = await admin('', wanted());
    expect((await admin('', wanted({ address: 'SEED@mail.test' }))).body.code).toBe('seed_exists');
    for (const id of [NOBODY, 'x', '%00'])
      for (const [act, body] of [
        ['test', {}],
        ['on', {}],
        ['off', { reason: 'x' }],
        ['rotate', { password: 'x' }],
      ] as const)
        expect((await admin(`/${id}/${act}`, body)).status, `${id} ${act}`).toBe(404);
    expect((await admin(`/${made.id}/off`, { reason: 'a\0' })).status).toBe(422);
    await onDatabase(
      database.url,
      `UPDATE placement_seeds SET lease_owner = gen_random_uuid(), lease_expires_at = now() + interval '1 hour'`,
    );
    expect((await admin(`/${made.id}/test`, {})).body.code).toBe('seed_busy');
  });

  it('an administrator is not let into private networks unless the operator allows it', async () => {
    const closed = await startService({ database, env: { role: 'api' } });
    onTestFinished(() => closed.close());
    const add = (change: object) => call(closed, PATH, { key, body: wanted(change) });
    expect((await add({ security: 'tls' })).status).toBe(422);
    expect((await add({ host: 'imap.mail.test' })).status).toBe(422);
    expect((await add({ host: '10.0.0.9', security: 'starttls' })).status).toBe(422);
    expect((await add({ host: 'imap.mail.test', security: 'tls' })).status).toBe(201);
  });

  it('an administrator does the same by commands, with secrets out of files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mailsonde-seeds-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'password');
    writeFileSync(file, 'pass\n');
    const run = async (...argv: string[]) => {
      const { exit, out, error } = await runAdmin(service, '--json', 'seeds', ...argv);
      return { code: exit, text: out + error };
    };
    const place = ['--provider', 'other', '--host', '127.0.0.1', '--port', String(imap.port), '--security', 'none'];
    const added = await run('add', 'seed@mail.test', ...place, '--password-file', file);
    expect(added.code, added.text).toBe(0);
    const { id } = JSON.parse(added.text) as { id: string };
    expect(await run('test', id)).toMatchObject({ code: 0 });
    expect(JSON.parse((await run('list')).text)).toMatchObject({ seeds: [{ id, usable: true }] });
    writeFileSync(file, 'wrong');
    expect(await run('rotate', id, '--password-file', file)).toMatchObject({ code: 0 });
    expect(await run('test', id)).toMatchObject({ code: 1 });
    expect(await run('off', id, '--reason', 'burned')).toMatchObject({ code: 0 });
    expect(await run('on', id)).toMatchObject({ code: 0 });
    expect(await run('add', 'b@mail.test', ...place, '--password-file', join(folder, 'none'))).toMatchObject({
      code: 64,
    });
    expect((await run('add', 'b@mail.test', ...place)).text).toContain('password');
  });
});

it('nobody else sees seeds but as counts, and no agent does at all', async () => {
  await admin('', wanted());
  for (const other of [account.liveKey, account.testKey])
    expect((await call(service, PATH, { key: other })).status).toBe(403);
  const { body } = await call(service, '/api/v1/placement/seeds', { key: account.testKey });
  expect(Object.keys(body)).toContain('providers');
  const { body: agent } = await call(service, '/agent-gateway/register', { body: { name: 'a' } });
  expect((await call(service, '/api/v1/placement/seeds', { key: agent.api_key })).body.code).toBe(
    'full_account_required',
  );
});

describe('an access token', () => {
  const CREDENTIALS = { kind: 'oauth2', clientId: 'client', clientSecret: null, refreshToken: 'refresh' } as const;

  async function world(answer: (asked: number) => [status: number, body: string]) {
    const { cert, key: privateKey } = selfSigned({ names: ['token.test'] });
    const asked: string[] = [];
    const server = createServer({ cert, key: privateKey }, (request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        asked.push(text);
        const [status, body] = answer(asked.length);
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const clock = new ManualClock();
    const tokens = new AccessTokens(
      {
        lookUp: () => Promise.resolve(['127.0.0.1']),
        allowsPrivate: true,
        limits: IMAP_LIMITS,
        timer: SYSTEM_TIMER,
        ca: cert,
      },
      clock,
    );
    onTestFinished(async () => {
      await tokens.onApplicationShutdown();
      server.close();
    });
    const credentials = {
      ...CREDENTIALS,
      tokenUrl: `https://token.test:${(server.address() as AddressInfo).port}/token`,
    };
    return { asked, clock, get: (change: object = {}) => tokens.get('seed', { ...credentials, ...change }) };
  }

  it('an access token is asked for by the refresh token, used while it lasts, and asked for again', async () => {
    const { asked, clock, get } = await world((n) => [
      200,
      JSON.stringify({ access_token: `t${n}`, expires_in: 3600 }),
    ]);
    expect([await get(), await get()]).toEqual(['t1', 't1']);
    expect(Object.fromEntries(new URLSearchParams(asked[0]))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh',
      client_id: 'client',
    });
    clock.advance(3_600_000);
    expect(await get()).toBe('t2');
    expect(await get({ refreshToken: 'other', clientSecret: 's' })).toBe('t3');
    expect(asked[2]).toContain('client_secret=s');
  });

  it.each<[string, number, string, string]>([
    ['a refusal', 400, '{"error":"invalid_grant"}', 'token_refused'],
    ['no JSON', 200, '<html>', 'token_refused'],
    ['no token', 200, '{"access_token":7}', 'token_refused'],
    ['a server that is down', 503, '', 'connection_failed'],
    ['too much', 200, 'x'.repeat(100_000), 'too_much_data'],
  ])('an access token is none after %s', async (_, status, body, code) => {
    const { get } = await world(() => [status, body]);
    await expect(get()).rejects.toMatchObject({ name: 'SeedFault', code });
  });
});
