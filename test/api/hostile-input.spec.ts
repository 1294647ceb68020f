import { once } from 'node:events';
import { connect } from 'node:net';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredMembers } from '../../src/platform/http/input-checks.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { ACCESS_ROWS, type AccessRow } from '../support/access-rows.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { createAdminKey } from '../support/admin.js';
import { checkDescribed } from '../support/described.js';
import { type Route, pathWith, routesOf } from '../support/routes.js';
import { send } from '../support/send.js';
import { liftRates, startService, type TestService } from '../support/service.js';
import { makeThing, type ThingName } from '../support/things.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';
import { nextLook } from '../support/next-look.js';

/** What PostgreSQL, JSON, URLs or terminals may choke on. */
const HOSTILE: Readonly<Record<string, string>> = {
  NUL: 'a\0b',
  'a first half of a surrogate pair': 'a\ud800b',
  'a second half of a surrogate pair': 'a\udc00',
  'control characters': '\u0001\u0008\u001b[2J\u007f\u0085',
  'a direction override': 'a\u202eb',
  'an empty text': '',
  'white space': ' \t\r\n\u00a0\u2028',
  'a very long text': 'x'.repeat(100_000),
  'a number': '1e400',
  'an end of a batch row': 'a"]@b\\',
  'a quoted statement': `'; DROP TABLE accounts; --`,
  'a time that is none': '2026-12-31T23:59:60Z',
  'a time before all times': '0000-01-01T00:00:00Z',
  'a prototype': '__proto__',
};

let service: TestService;
let sink: WebhookSink;
let account: FullAccount;
let adminKey: string;
const ids = new Map<ThingName, string>();

beforeAll(async () => {
  sink = await startWebhookSink();
  const limits = {
    triesPerMinute: 100_000,
    registrationsPerHour: 100_000,
    registrationsPerDay: 100_000,
    registrationsPerHourGlobal: 100_000,
  };
  service = await startService({ env: { ...TO_LOOPBACK, ...limits }, timer: SYSTEM_TIMER });
  liftRates(service);
  [account, adminKey] = [await createFullAccount({ url: service.env.databaseUrl }), await createAdminKey(service)];
  for (const name of [
    'batch',
    'people',
    'key',
    'webhook',
    'delivery',
    'suppression',
    'operator',
    'optOut',
    'blacklistCheck',
    'domainCheck',
    'source',
  ] as const)
    ids.set(name, (await makeThing({ service, sink, account }, name, 'test')).id);
  // Another one: it is suspended, for instance.
  ids.set('account', (await createFullAccount({ url: service.env.databaseUrl })).accountId);
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

interface Sent {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** With a key that the route takes; test keys are in the simulated world, so that nothing waits for anybody. */
function ask(route: Route, { path, body, headers = {} }: Sent) {
  const key = route.audience === 'admin' ? adminKey : account.testKey;
  return send(service.url + path, {
    method: route.method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** As many at once as one caller may: what waits for PostgreSQL and Redis waits together. */
const AT_ONCE = 16;

/** Tells of each one what is wrong with it, if anything is. */
async function faultsOf<T>(all: Iterable<T>, faultOf: (one: T) => Promise<string | null>): Promise<string[]> {
  const left = all[Symbol.iterator]();
  const faults: string[] = [];
  const lane = async () => {
    for (let next = left.next(); next.done !== true; next = left.next()) {
      const fault = await faultOf(next.value);
      if (fault !== null) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return faults;
}

const wellFormed = (text: string) => Buffer.from(text).toString();
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const rowOf = (route: Route): AccessRow => ACCESS_ROWS[nameOf(route)]!;
const pathOf = (route: Route) => pathWith(route.path, ids.get(rowOf(route).thing!) ?? '');
const routes = () => routesOf(service.app);

/** The values of a body with one text of it replaced, however deep it stands. */
function* withText(value: unknown, text: string): Generator {
  if (typeof value === 'string') yield text;
  if (Array.isArray(value))
    for (const [i, one] of value.entries())
      for (const changed of withText(one, text)) yield value.map((same, at) => (at === i ? changed : same));
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value))
      for (const changed of withText(one, text)) yield { ...value, [name]: changed };
}

interface Asked extends Sent {
  readonly route: Route;
  readonly what: string;
}

async function expectNoFaults(all: Iterable<Asked>): Promise<void> {
  const faults = await faultsOf(all, async ({ route, what, ...sent }) => {
    let { status, text } = await ask(route, sent);
    // PostgreSQL may be too busy for one of so many; it is not for the same one again, unless that is what keeps it busy.
    if (status === 503) ({ status, text } = await ask(route, sent));
    return status < 500 ? null : `${nameOf(route)} with ${what}, ${JSON.stringify(sent).slice(0, 200)}: ${text}`;
  });
  expect(faults).toEqual([]);
}

describe.each(Object.entries(HOSTILE))('%s', (what, text) => {
  it('a hostile text in any text of a body is never a fault', () =>
    expectNoFaults(
      routes().flatMap((route) =>
        [...withText(rowOf(route).body, text)].map((body) => ({ route, path: pathOf(route), body, what })),
      ),
    ));

  it('a hostile text in any parameter of a query is never a fault', () =>
    expectNoFaults(
      routes().flatMap((route) =>
        [...declaredMembers(route.controller, route.handler, RouteParamtypes.QUERY).keys()].map((name) => ({
          route,
          path: `${pathOf(route)}?${name}=${encodeURIComponent(wellFormed(text).slice(0, 8_000))}`,
          body: rowOf(route).body,
          what,
        })),
      ),
    ));

  it('a hostile text in the place of an id is not found', async () => {
    const id = encodeURIComponent(wellFormed(text).slice(0, 5_000)) || '%20';
    const faults = await faultsOf(
      routes().filter(({ path }) => path.includes(':')),
      async (route) => {
        const path = pathWith(route.path.replace(':name', ':id'), id);
        const { status } = await ask(route, { path, body: rowOf(route).body });
        // Any text with two sides around an @ names a suppression, and any host name an operator, which may be there.
        const mayBeThere = ['suppression', 'operator'].includes(rowOf(route).thing ?? '');
        return (mayBeThere ? status < 500 : status === 404) ? null : `${nameOf(route)}: ${status}`;
      },
    );
    expect(faults).toEqual([]);
  });
});

it('the tests know a text for every member of a body that takes one', () => {
  for (const route of routes()) {
    const known = Object.keys(rowOf(route).body ?? {});
    // These take numbers and truth values only.
    const others = [
      'timeout_ms',
      'count',
      'credits_per_day',
      'credits_per_month',
      'credits_total',
      'max_credits',
      'reuse_days',
      'retry_window_seconds',
      'retention_days',
      'reuse',
      'grace_seconds',
      'amount',
      'capacity',
      'enabled',
      'every_days',
      'include_succeeded',
      'mode',
      'include_results',
      'suppress',
      'interval_minutes',
      'notify_first',
      'settle_minutes',
      'expires_minutes',
    ];
    const missing = [...declaredMembers(route.controller, route.handler, RouteParamtypes.BODY).keys()].filter(
      (name) => !known.includes(name) && !others.includes(name),
    );
    expect(missing, `${nameOf(route)}: add it to the row's body`).toEqual([]);
  }
});

it('hostile input fails no batch that was accepted', async () => {
  const open = () => onDatabase(service.env.databaseUrl, 'SELECT id FROM batches WHERE finished_at IS NULL');
  while ((await open()).length > 0) await nextLook();
  expect(await onDatabase(service.env.databaseUrl, `SELECT id FROM batches WHERE state = 'failed'`)).toEqual([]);
});

it.each(['%ff', '%c0%80', '%ed%a0%80', '%', '%zz', '%00', '%2e%2e', '1'.repeat(5_000)])(
  'the path segment %s is never a fault',
  (segment) =>
    expectNoFaults(
      routes()
        .filter(({ path }) => path.includes(':'))
        .map((route) => ({ route, path: pathWith(route.path, segment), what: segment })),
    ),
);

it.each([
  ['idempotency-key', 'a b'],
  ['idempotency-key', 'é'],
  ['idempotency-key', 'x'.repeat(300)],
  ['x-request-id', 'é'],
  ['x-request-id', 'x'.repeat(1_000)],
  ['x-forwarded-for', 'nonsense, 999.1.1.1'],
  ['if-none-match', '"é", W/'],
  ['accept', 'é;q=x'],
  ['accept-encoding', 'gzip;q=\u00ff'],
  ['content-type', 'application/json; charset=\u00ff'],
  ['content-type', ';;;'],
  ['content-encoding', '\u00ff'],
  ['mcp-protocol-version', '\u00ff'],
  ['origin', '\u00ff'],
  ['range', 'bytes=9-1'],
])('the header %s: %s is never a fault', (name, value) =>
  expectNoFaults(
    routes().map((route) => ({
      route,
      path: pathOf(route),
      body: rowOf(route).body,
      headers: { [name]: value },
      what: `${name}: ${value}`,
    })),
  ),
);

describe('a body of many small things', () => {
  /* Written as text, and once: making the values takes as long as reading them. */
  const many = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join();
  const repeated = (item: string, count: number) => `[${`${item},`.repeat(count - 1)}${item}]`;
  const numbers = `[${Array.from({ length: 150_000 }, (_, i) => i).join()}]`;
  const ask = async (path: string, body: string, key?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    };
    const { status, text } = await send(service.url + path, { method: 'POST', headers, body });
    const told = JSON.parse(text);
    checkDescribed({ method: 'POST', path, key, status, body: told });
    return [status, told.code ?? told.error?.code];
  };

  it.each([
    ['80,000 members', many(80_000)],
    ['340,000 objects', `"x":${repeated('{}', 340_000)}`],
  ])('a body of many small things is refused before anything walks through it: %s', async (_, further) => {
    const body = `{"email":"valid@example.com",${further}}`;
    expect(await ask('/try', body)).toEqual([400, 'malformed_json']);
    expect(await ask('/agent-gateway/register', body)).toEqual([400, 'malformed_json']);
    const message = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{${further}}}`;
    expect((await ask('/mcp', message))[0]).toBe(400);
  });

  it('a body of many small things is taken up to a thousand members, which a later version may have', async () => {
    const withMembers = (count: number) => `{"email":"valid@example.com",${many(count)}}`;
    expect(await ask('/try', withMembers(999))).toEqual([200, undefined]);
    expect(await ask('/try', withMembers(1_000))).toEqual([400, 'malformed_json']);
  });

  it('a body of many small things is looked through once, where no item may stand twice', async () => {
    const schedule = `{"every_days":1,"verdicts":${numbers}}`;
    expect(await ask('/api/v1/lists/1/schedule', schedule, account.testKey)).toEqual([422, 'invalid_input']);
    const endpoint = `{"url":"https://example.com","events":${numbers}}`;
    expect(await ask('/api/v1/webhooks', endpoint, account.testKey)).toEqual([422, 'invalid_input']);
    const wanted = `{"kind":"test","permissions":${numbers}}`;
    expect(await ask('/api/v1/keys', wanted, account.testKey)).toEqual([422, 'invalid_input']);
  });

  it('a body of many small things is no message of MCP', async () => {
    const params = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1","icons":${repeated('0', 500_000)}}}`;
    const message = (method: string, given: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${given}}`;
    expect(await ask('/mcp', message('initialize', params))).toEqual([400, -32600]);
    const emails = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const asked = `{"name":"estimate_cost","arguments":{"emails":"${emails}"}}`;
    expect((await ask('/mcp', message('tools/call', asked)))[0]).toBe(200);
  });
});

describe('a path outside of what is served', () => {
  it.each([
    '/docs/../../package.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/..\\..\\package.json',
    '/docs/%00',
    '/docs/a%00b.css',
    '/docs/.',
    '/docs/..',
    '/docs//',
    '//docs/../package.json',
  ])('%s is 404, in our words', async (path) => {
    const { status, body } = await rawGet(path);
    expect(status, body).toBe(404);
    expect(JSON.parse(body)).toMatchObject({ success: false, code: 'not_found' });
  });
});

describe('a page of the documentation', () => {
  it.each([
    ['Range', 'bytes=99999999-'],
    ['Range', 'bytes=9-1'],
    ['If-Match', '"x"'],
    ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['If-Modified-Since', 'nonsense'],
  ])('a page of the documentation asked for with %s: %s is no fault', async (name, value) => {
    const { status, body } = await rawGet('/docs/swagger-ui.css', `${name}: ${value}\r\n`);
    expect(status, body).toBeLessThan(500);
  });
});

/** With the path as it stands: `fetch` would tidy it up. */
async function rawGet(path: string, headers = ''): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n${headers}\r\n`);
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(pieces).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body };
}
