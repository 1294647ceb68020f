import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAdministration } from '../../src/admin/administration.js';
import { runProgram } from '../../src/cli/admin/run-program.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startDnsServer, type DnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';

const PATH = '/admin/v1/operators';
const HOST = 'mx.example.com';

let database: TestDatabase;
let dns: DnsServer;
let smtp: TestSmtpServer;
let service: TestService;
let account: FullAccount;
let key: string;

beforeAll(async () => {
  smtp = await startSmtpServer({ recipients: (to) => (/^(real|postmaster)@/.test(to) ? 'accept' : '550 5.1.1 No') });
  dns = await startDnsServer({ zones: { 'example.com': { MX: [[10, HOST]] }, [HOST]: { A: ['127.0.0.1'] } } });
  database = await createTestDatabase();
  account = await createFullAccount(database);
  service = await start();
  key = await createAdminKey(service);
});

afterAll(async () => {
  await service.close();
  await smtp.close();
  await dns.close();
  await database.drop();
});

/** A process with a Redis of its own, as after the loss of the old one. */
const start = () =>
  startService({
    database,
    env: { dnsServers: [dns.address], smtpPort: smtp.port, mxAllowedNetworks: ['127.0.0.0/8'] },
  });
const post = (path: string, body?: object) => call(service, `${PATH}${path}`, { key, method: 'POST', body });
const verify = (at: TestService) =>
  call(at, '/api/v1/verify', { key: account.liveKey, body: { email: 'real@example.com' } });

it('a paused operator is connected to by no process, also by one that starts with an empty Redis, until it is resumed', async () => {
  const paused = await post(`/${HOST}/pause`, { reason: 'they asked us to' });
  expect(paused.body).toMatchObject({ name: HOST, title: null, paused: { reason: 'they asked us to', until: null } });
  const other = await start();
  const { body } = await verify(other);
  expect(body).toMatchObject({ verdict: 'unknown', reason: 'temporary_failure', credits_charged: 0 });
  expect(body.evidence.text).toContain('paused connections to this mail operator');
  expect((await post(`/${HOST}/resume`)).body).toEqual({ name: HOST, title: null, paused: null });
  await expect.poll(async () => (await verify(other)).body.verdict, { timeout: 5_000 }).toBe('valid');
  await other.close();
});

it('operators are listed with their pauses, which end by themselves, over HTTP and by the command line', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await post('/google/pause', { reason: 'too many refusals', until });
  const { operators } = (await call(service, PATH, { key })).body;
  const google = { name: 'google', title: 'Google', paused: { reason: 'too many refusals', until } };
  expect(operators).toContainEqual(
    expect.objectContaining({ ...google, paused: expect.objectContaining(google.paused) }),
  );
  expect(operators.map(({ name }: { name: string }) => name)).not.toContain('default');
  expect((await command('operators', 'list')).out).toContain('too many refusals');
  expect((await command('operators', 'resume', 'google')).out).toMatch(/^paused +-$/m);
  expect((await command('operators', 'pause', 'yahoo', '--reason', 'a test')).exit).toBe(0);
  const { entries } = (await call(service, '/admin/v1/audit?limit=3', { key })).body;
  expect(
    entries.map(({ act, details }: { act: string; details: { operator: string } }) => [act, details.operator]),
  ).toEqual([
    ['operator.pause', 'yahoo'],
    ['operator.resume', 'google'],
    ['operator.pause', 'google'],
  ]);
});

it('a name that no operator can have is 404, and an end that has passed is 422', async () => {
  for (const name of ['default', 'No%20Host', '..%2f', 'x'.repeat(300)])
    expect((await post(`/${name}/pause`, { reason: 'none' })).status, name).toBe(404);
  expect((await post('/google/pause', { reason: 'late', until: '2020-01-01T00:00:00Z' })).body.code).toBe(
    'invalid_input',
  );
  expect((await post('/google/pause', {})).body.code).toBe('invalid_input');
});

async function command(...argv: string[]) {
  let out = '';
  const open = () => openAdministration(loadEnv({}), database.url, false);
  const exit = await runProgram(argv, open, { out: (text) => (out += text), error: () => {} });
  return { exit, out };
}
