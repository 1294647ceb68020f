import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountAdministrationService } from '../../src/admin/account-administration.service.js';
import { TESTER } from '../support/admin.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { type Route, routesOf } from '../support/routes.js';
import { startService, type TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';
import { bodyOnce, nextLook } from '../support/next-look.js';

/** What only its owner may ever read. */
const SECRET = 'what nobody else may read';

/** The owner's alone asked not to be found. */
const SUPPRESSED = 'a'.repeat(64);

/** What stands in the place of a parameter, by the route's beginning: a thing of the owner's. */
const THINGS: Readonly<Record<string, () => string>> = {
  '/api/v1/keys/:id': () => keyId,
  '/api/v1/verify/batch/:id': () => batchId,
  '/api/v1/finder/batch/:id': () => batchId,
  '/api/v1/lists/:id': () => batchId,
  '/api/v1/webhooks/deliveries/:id': () => deliveryId,
  '/api/v1/webhooks/:id': () => webhookId,
  '/api/v1/suppressions/:id': () => SUPPRESSED,
  '/api/v1/erasures/:id': () => erasureId,
  '/api/v1/blacklists/checks/:id': () => checkId,
  '/api/v1/domains/checks/:id': () => domainCheckId,
  '/api/v1/monitors/:id': () => monitorId,
  '/api/v1/placement/tests/:id': () => placementId,
};

let service: TestService;
let sink: WebhookSink;
let owner: FullAccount;
let stranger: FullAccount;
let agentKey: string;
let keyId: string;
let batchId: string;
let webhookId: string;
let deliveryId: string;
let erasureId: string;
let checkId: string;
let domainCheckId: string;
let monitorId: string;
let placementId: string;

beforeAll(async () => {
  [service, sink] = await Promise.all([startService({ env: TO_LOOPBACK }), startWebhookSink()]);
  const database = { url: service.env.databaseUrl };
  [owner, stranger] = [await createFullAccount(database), await createFullAccount(database)];
  agentKey = await register(service);
  const { body } = await call(service, '/api/v1/keys', { key: owner.liveKey, body: { name: SECRET } });
  keyId = body.id;
  await call(service, '/api/v1/suppressions', { key: owner.liveKey, body: { sha256: [SUPPRESSED], reason: SECRET } });
  batchId = await makeBatch();
  const erasure = await call(service, '/api/v1/erasures', { key: owner.liveKey, body: { email: 'jane@example.com' } });
  erasureId = erasure.body.id;
  const checked = { targets: ['example.com'], lists: ['psbl'] };
  checkId = String((await call(service, '/api/v1/blacklists/check', { key: owner.liveKey, body: checked })).body.id);
  const domainChecked = { domain: 'example.com', timeout_ms: 1000 };
  domainCheckId = String(
    (await call(service, '/api/v1/domains/check', { key: owner.liveKey, body: domainChecked })).body.id,
  );
  const watched = { kind: 'domain', target: 'example.com', name: SECRET, enabled: false };
  monitorId = String((await call(service, '/api/v1/monitors', { key: owner.liveKey, body: watched })).body.id);
  const tested = { name: SECRET, seeds: 'none' };
  placementId = String((await call(service, '/api/v1/placement/tests', { key: owner.liveKey, body: tested })).body.id);
  [webhookId, deliveryId] = await makeDelivery();
  await service.app.get(AccountAdministrationService).grant(TESTER, owner.accountId, 5, SECRET);
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

async function makeBatch(): Promise<string> {
  const key = owner.testKey;
  const { body } = await call(service, '/api/v1/verify/batch', { key, body: { emails: [SECRET], name: SECRET } });
  for (;;) {
    const { status } = await call(service, `/api/v1/lists/${body.id}`, { key });
    if (status === 200) return String(body.id);
    await nextLook();
  }
}

async function makeDelivery(): Promise<[webhookId: string, deliveryId: string]> {
  const key = owner.liveKey;
  const { body: webhook } = await call(service, '/api/v1/webhooks', { key, body: { url: sink.url(`/${SECRET}`) } });
  const { body: delivery } = await call(service, `/api/v1/webhooks/${webhook.id}/test`, { key, method: 'POST' });
  await bodyOnce(
    () => call(service, `/api/v1/webhooks/deliveries/${delivery.id}`, { key }),
    ({ status }) => status === 'succeeded',
  );
  return [webhook.id, delivery.id];
}

const keyed = () => routesOf(service.app).filter(({ audience }) => audience !== null);
const thingIn = ({ path }: Route) => Object.entries(THINGS).find(([start]) => path.startsWith(start))?.[1]();

async function ask({ method, path }: Route, key: string, thing = '') {
  const url = path.replaceAll(/:\w+/g, thing);
  return call(service, url, { key, method, ...(method !== 'GET' && method !== 'DELETE' && { body: {} }) });
}

async function ownersThings(): Promise<unknown> {
  const paths = [
    '/api/v1/lists',
    '/api/v1/suppressions',
    '/api/v1/blacklists/checks',
    '/api/v1/domains/checks',
    '/api/v1/monitors',
    '/api/v1/placement/tests',
    '/api/v1/keys',
    '/api/v1/credits',
    '/api/v1/credits/history',
    '/api/v1/webhooks',
  ];
  const replies = await Promise.all(paths.map((path) => call(service, path, { key: owner.liveKey })));
  return JSON.parse(JSON.stringify(replies.map(({ body }) => body)).replaceAll(/"last_used_at":[^,}]*/g, '"-":0'));
}

it('the test finds all routes', () => {
  const paths = keyed().map(({ method, path }) => `${method} ${path}`);
  expect(paths).toContain('POST /api/v1/keys/:id/rotate');
  expect(paths).toContain('GET /admin/v1/accounts');
});

it('the test knows an object of the owner for every route that names one', () => {
  const unknown = keyed().filter((route) => route.path.includes(':') && route.audience !== 'admin' && !thingIn(route));
  expect(unknown, 'add a thing of the owner’s to THINGS').toEqual([]);
});

describe('to a stranger the owner’s objects', () => {
  it.each(['live', 'test'] as const)(
    'to a stranger the owner’s objects are 404 everywhere with a %s key, and stay as they are',
    async (kind) => {
      const key = kind === 'live' ? stranger.liveKey : stranger.testKey;
      const before = await ownersThings();
      for (const route of keyed().filter(({ path, audience }) => path.includes(':') && audience !== 'admin')) {
        const { status, body } = await ask(route, key, thingIn(route));
        expect([status, body.code], `${route.method} ${route.path}`).toEqual([
          404,
          expect.stringMatching(/_not_found$/),
        ]);
        expect(body.error).not.toContain(SECRET);
      }
      expect(await ownersThings()).toEqual(before);
    },
  );

  it('to a stranger the owner’s objects are in none of the lists that he gets', async () => {
    for (const route of keyed().filter(({ path, method }) => !path.includes(':') && method === 'GET')) {
      for (const key of [stranger.liveKey, stranger.testKey]) {
        const text = JSON.stringify((await ask(route, key)).body);
        for (const secret of [SECRET, owner.accountId, keyId]) expect(text, route.path).not.toContain(secret);
      }
    }
  });

  it('to a stranger the owner’s objects are refused like unknown ones', async () => {
    const nothing = '00000000-0000-4000-8000-000000000000';
    for (const route of keyed().filter(({ path, audience }) => path.includes(':') && audience !== 'admin')) {
      const { request_id: _, ...theirs } = (await ask(route, stranger.liveKey, thingIn(route))).body;
      const { request_id: __, ...nobodys } = (await ask(route, stranger.liveKey, nothing)).body;
      expect(theirs).toEqual(nobodys);
    }
  });
});

describe('every route keeps its door', () => {
  it('every route keeps its door administration is 403 for every key that is not an administrator’s', async () => {
    const routes = keyed().filter(({ audience }) => audience === 'admin');
    expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(['/admin/v1/audit', '/admin/v1/keys/:id']));
    for (const route of routes) {
      expect(route.path).toMatch(/^\/admin\//);
      for (const key of [owner.liveKey, owner.testKey, agentKey]) {
        const { status, body } = await ask(route, key, keyId);
        expect([status, body.code], `${route.method} ${route.path}`).toEqual([403, 'admin_required']);
      }
    }
    expect(keyed().filter(({ path, audience }) => path.startsWith('/admin') && audience !== 'admin')).toEqual([]);
  });

  it('what needs a full account is 403 for an agent', async () => {
    for (const route of keyed().filter(({ audience }) => audience === 'full')) {
      const { status, body } = await ask(route, agentKey, keyId);
      expect([status, body.code], `${route.method} ${route.path}`).toEqual([403, 'full_account_required']);
    }
  });

  it('no key is 401 wherever one is needed', async () => {
    for (const { method, path } of keyed()) {
      const { status, body } = await call(service, path.replaceAll(/:\w+/g, keyId), { method });
      expect([status, body.code], `${method} ${path}`).toEqual([401, 'key_missing']);
    }
  });
});
