import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Port25States } from '../../src/sending/operators/port25-states.service.js';
import { SYSTEM_TIMER, type Timer } from '../../src/platform/clock.js';
import { CircuitReports, Port25Reports } from '../../src/verify/engine-reports.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey, runAdmin } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startDnsServer, type DnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';

const PATH = '/admin/v1/operators';
const HOST = 'mx.example.com';
const BLOCKED = '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org';

let database: TestDatabase;
let dns: DnsServer;
let smtp: TestSmtpServer;
let service: TestService;
let account: FullAccount;
let key: string;

beforeAll(async () => {
  smtp = await startSmtpServer({
    recipients: (to) => {
      if (/@hostile/.test(to)) return BLOCKED;
      return /^(real|postmaster)@/.test(to) ? 'accept' : '550 5.1.1 No';
    },
  });
  const hosts = { [HOST]: { A: ['127.0.0.1'] }, 'mx.hostile.example': { A: ['127.0.0.1'] } };
  dns = await startDnsServer({
    zones: {
      'example.com': { MX: [[10, HOST]] },
      'hostile.example': { MX: [[10, 'mx.hostile.example']] },
      ...hosts,
    },
  });
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
const start = (timer?: Timer) =>
  startService({
    database,
    timer,
    env: { dnsServers: [dns.address], smtpPort: smtp.port, mxAllowedNetworks: ['127.0.0.0/8'] },
  });
const post = (path: string, body?: object) => call(service, `${PATH}${path}`, { key, method: 'POST', body });
const verify = (at: TestService) =>
  call(at, '/api/v1/verify', { key: account.liveKey, body: { email: 'real@example.com' } });

it('a paused operator is connected to by no process, also by one that starts with an empty Redis, until it is resumed', async () => {
  const paused = await post(`/${HOST}/pause`, { reason: 'they asked us to' });
  expect(paused.body).toMatchObject({ name: HOST, title: null, paused: { reason: 'they asked us to', until: null } });
  // It notices the end of the pause when it reads the database again.
  const other = await start(SYSTEM_TIMER);
  const { body } = await verify(other);
  expect(body).toMatchObject({ verdict: 'unknown', reason: 'temporary_failure', credits_charged: 0 });
  expect(body.evidence.text).toContain('paused connections to this mail operator');
  expect((await post(`/${HOST}/resume`)).body).toEqual({
    name: HOST,
    title: null,
    paused: null,
    circuits: [],
    measured: null,
  });
  await expect.poll(async () => (await verify(other)).body.verdict).toBe('valid');
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

it('an operator that refuses us is told with where, since when and by which codes, until the process that it refuses is gone', async () => {
  const refused = await start();
  for (const i of [1, 2, 3]) {
    const body = { email: `someone${i}@hostile.example` };
    expect((await call(refused, '/api/v1/verify', { key: account.liveKey, body })).body.reason).toBe('ip_blocked');
  }
  await refused.app.get(CircuitReports, { strict: false }).run();
  const listed = async () => (await call(service, PATH, { key })).body.operators;
  const circuit = { source: 'default', address: '127.0.0.1', last_refusal: '554 5.7.1', processes: 1 };
  const hostile = {
    name: 'mx.hostile.example',
    title: null,
    paused: null,
    circuits: [expect.objectContaining(circuit)],
    measured: null,
  };
  expect(await listed()).toContainEqual(hostile);
  expect((await command('operators', 'list')).out).toContain('at default: 554 5.7.1 until');
  await refused.close();
  const [{ count }] = (await onDatabase(
    database.url,
    "UPDATE operator_circuits SET seen_at = seen_at - interval '31 seconds' RETURNING (SELECT count(*) FROM operator_circuits)",
  )) as [{ count: string }];
  expect(Number(count)).toBe(1);
  expect((await listed()).map(({ name }: { name: string }) => name)).not.toContain('mx.hostile.example');
});

it('a name that no operator has is paused by nobody: 404 offers those that are near, and the operator of a host', async () => {
  const offeredFor = async (name: string) => {
    const { status, body } = await post(`/${name}/pause`, { reason: 'a slip' });
    expect([status, body.code], name).toEqual([404, 'operator_not_found']);
    return / Did you mean (.+)\?/.exec(body.error)?.[1] ?? null;
  };
  expect(await offeredFor('gogle')).toBe('google');
  expect(await offeredFor('gmail-smtp-in.l.google.com')).toBe('google');
  expect(await offeredFor('nobody-at-all')).toBeNull();
  expect((await post('/gogle/resume')).body.error).toContain('google');
  await onDatabase(
    database.url,
    "INSERT INTO operator_pauses (operator, reason, paused_by, paused_at) VALUES ('gone', 'its row has gone since', 'somebody', now())",
  );
  expect((await post('/gone/resume')).body).toMatchObject({ name: 'gone', paused: null });
});

it('a name that no operator can have is 404, and an end that has passed is 422', async () => {
  for (const name of ['default', 'No%20Host', '..%2f', 'x'.repeat(300)])
    expect((await post(`/${name}/pause`, { reason: 'none' })).status, name).toBe(404);
  expect((await post('/google/pause', { reason: 'late', until: '2020-01-01T00:00:00Z' })).body.code).toBe(
    'invalid_input',
  );
  expect((await post('/google/pause', {})).body.code).toBe('invalid_input');
});

const command = (...argv: string[]) => runAdmin(service, ...argv);

it('whether port 25 leaves a machine is told once mail hosts have shown it, until its processes are gone', async () => {
  const open = await start();
  const port25 = async () => (await call(service, '/admin/v1/workers', { key })).body.port_25;
  const told = { machine: hostname(), processes: 1 };
  const reports = open.app.get(Port25Reports, { strict: false });
  await reports.run();
  expect(await port25()).toEqual([]);
  const asked = Date.now();
  await verify(open);
  await reports.run();
  const [one] = await port25();
  expect(one).toMatchObject({ ...told, state: 'open' });
  expect(Date.parse(one.since)).toBeGreaterThanOrEqual(asked);
  expect(Date.parse(one.answered_at)).toBeGreaterThanOrEqual(Date.parse(one.since));
  expect((await command('workers')).out).toMatch(/^Port 25\nmachine +state/m);

  const since = new Date(asked);
  const blocked = { machine: 'far away', state: 'blocked', since, answeredAt: null } as const;
  const states = service.app.get(Port25States, { strict: false });
  await states.report('00000000-0000-4000-8000-000000000001', blocked);
  await states.report('00000000-0000-4000-8000-000000000002', { ...blocked, since: new Date(asked + 1) });
  const faraway = {
    machine: 'far away',
    state: 'blocked',
    since: since.toISOString(),
    answered_at: null,
    processes: 2,
  };
  expect(await port25()).toEqual([faraway, one]);

  await open.close();
  expect(await port25()).toEqual([faraway]);
  await onDatabase(database.url, "UPDATE port25_states SET seen_at = seen_at - interval '91 seconds'");
  expect(await port25()).toEqual([]);
});
