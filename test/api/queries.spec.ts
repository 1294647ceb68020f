import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredMembers } from '../../src/platform/http/input-checks.js';
import { ACCESS_ROWS } from '../support/access-rows.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call, register } from '../support/call.js';
import { callTool } from '../support/mcp.js';
import { type Route, pathWith, routesOf } from '../support/routes.js';
import { type Answer, send } from '../support/send.js';
import { liftRates, startService, type TestService } from '../support/service.js';
import { makeThing, type ThingName, type World } from '../support/things.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';

let service: TestService;
let sink: WebhookSink;
let owner: FullAccount;
let other: FullAccount;
let adminKey: string;
const ids = new Map<ThingName, string>();

beforeAll(async () => {
  sink = await startWebhookSink();
  service = await startService({ env: TO_LOOPBACK });
  liftRates(service);
  const database = { url: service.env.databaseUrl };
  [owner, other] = [await createFullAccount(database), await createFullAccount(database)];
  adminKey = await createAdminKey(service);
  // Two of everything, so that every listing has a second page.
  for (const account of [owner, other]) await makeAll({ service, sink, account });
  for (const number of [1, 2]) {
    const body = { email: `jane${number}@example.com` };
    await call(service, '/admin/v1/suppressions', { key: adminKey, body });
    await call(service, '/admin/v1/keys', { key: adminKey, body: { name: `admin ${number}` } });
    await register(service);
    for (const { accountId } of [owner, other]) {
      const grant = { amount: 1, reason: 'for the ledger' };
      await call(service, `/admin/v1/accounts/${accountId}/credits/grant`, { key: adminKey, body: grant });
    }
  }
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

async function makeAll(world: World): Promise<void> {
  for (const name of [
    'key',
    'suppression',
    'people',
    'delivery',
    'webhook',
    'batch',
    'scheduledList',
    'account',
    'operator',
    'optOut',
    'source',
    'erasure',
    'blacklistCheck',
    'domainCheck',
    'monitor',
    'placementTest',
    'blockList',
    'seed',
  ] as const)
    for (const _ of [1, 2]) {
      const { id } = await makeThing(world, name, 'test');
      if (world.account === owner) ids.set(name, id);
    }
  const body = { emails: ['valid@example.com', 'invalid@example.com', 'full@example.com'] };
  const { body: batch } = await call(service, '/api/v1/verify/batch', { key: world.account.testKey, body });
  const status = () => call(service, `/api/v1/verify/batch/${batch.id}`, { key: world.account.testKey });
  await bodyOnce(status, isCompleted);
  if (world.account === owner) ids.set('batch', String(batch.id));
  const webhook = world.account === owner ? (ids.get('webhook') ?? '') : null;
  for (const _ of webhook === null ? [] : [1, 2])
    await call(service, `/api/v1/webhooks/${webhook}/test`, { key: world.account.testKey, method: 'POST' });
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const known = (route: Route) => [...declaredMembers(route.controller, route.handler, RouteParamtypes.QUERY).keys()];
const pathOf = (route: Route) => pathWith(route.path, ids.get(ACCESS_ROWS[nameOf(route)]!.thing!) ?? '');
const routes = () => routesOf(service.app);
const isApi = ({ path }: Route) => /^\/(api|admin)\/v1\/(?!openapi)|register$/.test(path);

/** The ledger is the live mode's. */
function keyFor(route: Route, account = owner): string {
  if (route.audience === 'admin') return adminKey;
  return route.path === '/api/v1/credits/history' ? account.liveKey : account.testKey;
}

function ask(route: Route, query: string, account = owner): Promise<Answer> {
  const { body } = ACCESS_ROWS[nameOf(route)]!;
  const path = `${pathOf(route)}?${query}`;
  return send(service.url + path, {
    method: route.method,
    headers: { authorization: `Bearer ${keyFor(route, account)}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

describe('a query parameter that a route does not know', () => {
  it('a query parameter that a route does not know is refused by every route of the interfaces, which names those it knows', async () => {
    expect(routes().filter(isApi).length).toBeGreaterThan(60);
    for (const route of routes().filter(isApi)) {
      const { status, text } = await ask(route, 'nonsense=1&Limit=5');
      const body = JSON.parse(text) as { code: string; fields: { field: string; error: string }[] };
      expect([status, body.code], nameOf(route)).toEqual([422, 'invalid_input']);
      expect(body.fields.map(({ field }) => field)).toEqual(['nonsense', 'Limit']);
      const names = [...known(route)].sort();
      const told = names.length > 0 ? `; known are ${names.join(', ')}` : ': it takes none';
      expect(body.fields[0]!.error).toBe(`is no query parameter of this route${told}`);
    }
  });

  it('a query parameter that a route does not know is told with the one that it may be a slip of, as members of bodies are', async () => {
    const reply = (query: string) => call(service, `/api/v1/lists?${query}`, { key: owner.testKey });
    for (const slip of ['limt', 'Limit', 'lmiit']) {
      const { status, body } = await reply(`${slip}=5`);
      const error = 'is no query parameter of this route; did you mean limit?';
      expect([status, body.fields]).toEqual([422, [{ field: slip, error }]]);
    }
    expect((await reply('limit=5&curser=x')).body.fields[0].error).toContain('did you mean cursor?');
  });

  it('a query parameter that a route does not know does not keep anybody from the documents', async () => {
    for (const route of routes().filter((one) => !isApi(one) && one.method === 'GET'))
      expect((await ask(route, 'utm_source=mail')).status, nameOf(route)).toBe(
        ACCESS_ROWS[nameOf(route)]!.expected[route.path.startsWith('/admin/') ? 'admin' : 'live'],
      );
    expect((await fetch(`${service.url}/docs?utm_source=mail`)).status).toBe(200);
  });

  it('a query parameter that a route does not know changes nothing: a mistyped filter of administrators shows no account’s batches', async () => {
    const { status, body } = await call(service, `/admin/v1/batches?accountid=${owner.accountId}`, { key: adminKey });
    expect([status, body.batches]).toEqual([422, undefined]);
  });

  it('a query parameter that a route does not know given twice is refused where it is known', async () => {
    const { status } = await call(service, '/api/v1/lists?limit=1&limit=2', { key: owner.testKey });
    expect(status).toBe(422);
  });

  it('a query parameter that a route does not know is named at most a hundred times, in short', async () => {
    const query = Array.from({ length: 300 }, (_, i) => `${'n'.repeat(30)}${i}=1`).join('&');
    const { body } = await call(service, `/api/v1/lists?${query}`, { key: owner.testKey });
    expect(body.fields).toHaveLength(100);
  });
});

describe('a cursor', () => {
  const paged = () => routes().filter((route) => known(route).includes('cursor') && route.audience !== null);
  /** Rows of the same listing by another way. */
  const LISTING: Readonly<Record<string, string>> = {
    'GET /api/v1/lists/:id': 'results',
    'GET /api/v1/lists/:id/download': 'results',
    'GET /api/v1/verify/batch/:id/results': 'results',
    'GET /api/v1/keys': 'keys of an account',
    'GET /admin/v1/accounts/:id/keys': 'keys of an account',
    'GET /api/v1/audit': 'audit log',
    'GET /admin/v1/audit': 'audit log',
    'GET /admin/v1/accounts/:id/audit': 'audit log',
    'GET /api/v1/credits/history': 'ledger',
    'GET /admin/v1/accounts/:id/ledger': 'ledger',
  };
  /** `test/api/list-schedules.spec.ts` has a cursor of changes, `monitors.spec.ts` and `reports.spec.ts` those of a monitor's. */
  const HAVE_NO_SECOND_PAGE = /^\/api\/v1\/(finder\/batch\/:id|lists\/:id\/changes|monitors\/:id\/)/;
  const listingOf = (route: Route) => LISTING[nameOf(route)] ?? nameOf(route);

  async function cursorOf(route: Route, account = owner): Promise<string | null> {
    const isFile = route.path.endsWith('/download');
    const { text } = await ask(route, `limit=1${isFile ? '&format=json' : ''}`, account);
    return (JSON.parse(text) as { next_cursor: string | null }).next_cursor;
  }

  it.each([
    'nonsense',
    'a'.repeat(200),
    '!',
    Buffer.from('1 2').toString('base64url'),
    Buffer.from('999999999999999 00000000-0000-4000-8000-000000000000').toString('base64url'),
    Buffer.from('batches 1 --------').toString('base64url'),
    Buffer.from('batches 1 99999999999999999999').toString('base64url'),
    Buffer.from('keys 1 9').toString('base64url'),
    Buffer.from('row 99999999').toString('base64url'),
  ])('a cursor that somebody made up is 422 at every listing: %s', async (cursor) => {
    expect(paged().length).toBeGreaterThan(18);
    for (const route of paged()) {
      const { status } = await ask(route, `cursor=${cursor}`);
      expect(status, nameOf(route)).toBe(422);
    }
  });

  it('a cursor goes on where it was given, and is 422 at every other listing', async () => {
    const cursors: [string, Route][] = [];
    for (const route of paged().filter(({ path }) => !HAVE_NO_SECOND_PAGE.test(path))) {
      const cursor = await cursorOf(route);
      expect(cursor, `${nameOf(route)} has a second page`).not.toBeNull();
      cursors.push([cursor!, route]);
    }
    const mistaken: string[] = [];
    for (const [cursor, from] of cursors)
      for (const route of paged()) {
        const { status } = await ask(route, `cursor=${cursor}`);
        const isSame = listingOf(route) === listingOf(from);
        if (status !== (isSame ? 200 : 422))
          mistaken.push(`a cursor of ${nameOf(from)} at ${nameOf(route)}: ${status}`);
      }
    expect(mistaken).toEqual([]);
  });

  it('a cursor with other letters behind it is not taken', async () => {
    const { body } = await call(service, '/api/v1/keys?limit=1', { key: owner.testKey });
    for (const more of ['=', '%0A', '!', 'A'])
      expect(
        (await call(service, `/api/v1/keys?cursor=${body.next_cursor}${more}`, { key: owner.testKey })).status,
      ).toBe(422);
  });

  it('a cursor of another account shows nothing but what the asker owns', async () => {
    for (const route of paged().filter(({ path, audience }) => !path.includes(':') && audience !== 'admin')) {
      const cursor = await cursorOf(route, other);
      const own = (await ask(route, 'limit=100')).text;
      const [[, rows]] = Object.entries(JSON.parse((await ask(route, `cursor=${cursor}`)).text)) as [
        [string, object[]],
      ];
      for (const row of rows) expect(own, nameOf(route)).toContain(JSON.stringify(row));
    }
  });

  it('a cursor of another batch’s results is 422', async () => {
    const { body } = await call(service, `/api/v1/verify/batch/${ids.get('batch')}/results?limit=1`, {
      key: owner.testKey,
    });
    const { body: batches } = await call(service, '/api/v1/verify/batch', { key: owner.testKey });
    for (const { id } of batches.batches) {
      const path = `/api/v1/verify/batch/${id}/results?cursor=${body.next_cursor}`;
      const isSame = String(id) === ids.get('batch');
      expect((await call(service, path, { key: owner.testKey })).status).toBe(isSame ? 200 : 422);
    }
  });

  it('a cursor that is none is refused by the tools of agents too', async () => {
    for (const [name, given] of [
      ['list_lists', {}],
      ['get_list', { list_id: Number(ids.get('batch')) }],
    ] as const) {
      const { result } = await callTool(service, name, { ...given, cursor: 'nonsense' }, { key: owner.testKey });
      expect([result.code, result.fields[0].field], name).toEqual(['invalid_input', 'cursor']);
    }
  });
});
