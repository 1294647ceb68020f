import { afterAll, beforeAll, expect, it } from 'vitest';
import { MonitorSweep } from '../../src/deliverability/monitors/monitor-sweep.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call, register } from '../support/call.js';
import { bodyOnce, isCompleted } from '../support/next-look.js';
import { startService, type TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';

const DAY_MS = 86_400_000;

/** Monitors run when a test says so. */
const clock = { at: Date.now(), now: () => clock.at };
let service: TestService;
let sink: WebhookSink;
let account: FullAccount;
let adminKey: string;

beforeAll(async () => {
  [sink, service] = await Promise.all([startWebhookSink(), startService({ env: TO_LOOPBACK, clock })]);
  account = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'pro', credits: 100 });
  adminKey = await createAdminKey(service);
});

afterAll(async () => {
  await service.close();
  await sink.close();
});

// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

/** One thing that a route changes, as its owner sees it now. */
interface Changeable {
  readonly path: string;
  readonly key: string;
  show(): Promise<Body>;
}

const made = async (path: string, body: object, key: string, method = 'POST'): Promise<Body> => {
  const reply = await call(service, path, { key, body, method });
  expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).toBeLessThan(300);
  return reply.body;
};
const shown = async (path: string, key: string): Promise<Body> => (await call(service, path, { key })).body;

/** What GET shows at the path of the change itself. */
const atItsPath = (path: string, key: string): Changeable => ({ path, key, show: () => shown(path, key) });

const SCOPE = { permissions: ['verify', 'credits'], networks: ['192.0.2.0/24'] };
const CEILINGS = { credits_per_day: 5, credits_total: 9 };

async function ownKey(body: object): Promise<Changeable> {
  const { id } = await made('/api/v1/keys', body, account.liveKey);
  const show = async () => {
    const { keys } = await shown('/api/v1/keys?limit=100', account.liveKey);
    return keys.find((key: Body) => key.id === id);
  };
  return { path: `/api/v1/keys/${id}`, key: account.liveKey, show };
}

const anyKey = (id: string): Changeable => {
  const path = `/admin/v1/keys/${id}`;
  return { path, key: adminKey, show: async () => (await shown(path, adminKey)).key };
};

async function anyOwnKey(body: object): Promise<Changeable> {
  return anyKey((await made('/api/v1/keys', body, account.liveKey)).id);
}

async function agent(): Promise<Body> {
  await register(service);
  return (await shown('/admin/v1/agents?limit=1', adminKey)).agents[0];
}

/** A batch shows for how long it is kept in the reply to the change of it. */
async function keptBatch(base: string, body: object): Promise<Changeable> {
  const { id } = await made(base, body, account.testKey);
  const path = `${base}/${id}`;
  await bodyOnce(() => call(service, path, { key: account.testKey }), isCompleted);
  const { retention_days } = await made(path, { retention_days: 5 }, account.testKey, 'PATCH');
  return {
    path,
    key: account.testKey,
    show: async () => ({ ...(await shown(path, account.testKey)), retention_days }),
  };
}

const EMAILS = { emails: ['valid@example.com'], name: 'Customers' };

async function ownList(): Promise<Changeable> {
  const { path } = await keptBatch('/api/v1/verify/batch', EMAILS);
  const list = atItsPath(path.replace('verify/batch', 'lists'), account.testKey);
  // Rows name the request that shows them.
  const show = async () => ({ ...(await list.show()), results: [] });
  return { ...list, show };
}

/** Waits until an endpoint has had what is sent to it, which shows in it. */
const confirmed = (path: string): Promise<Body> =>
  bodyOnce(
    () => call(service, path, { key: account.testKey }),
    ({ confirmed_at }) => confirmed_at !== null,
  );

async function endpoint(body: object, change?: object): Promise<Changeable> {
  const { id } = await made('/api/v1/webhooks', { url: sink.url('/sent-back'), ...body }, account.testKey);
  const path = `/api/v1/webhooks/${id}`;
  await confirmed(path);
  if (change !== undefined) await made(path, change, account.testKey, 'PATCH');
  return atItsPath(path, account.testKey);
}

async function endpointOfBatch(): Promise<Changeable> {
  const body = { ...EMAILS, webhook_url: sink.url('/of-a-batch') };
  const { id } = await made('/api/v1/verify/batch', body, account.testKey);
  await bodyOnce(() => call(service, `/api/v1/verify/batch/${id}`, { key: account.testKey }), isCompleted);
  const { webhooks } = await shown('/api/v1/webhooks', account.testKey);
  const found = webhooks.find(({ made_by }: Body) => made_by === 'batch');
  const path = `/api/v1/webhooks/${found.id}`;
  await confirmed(path);
  return atItsPath(path, account.testKey);
}

const monitor = async (body: object): Promise<Changeable> => {
  const { id } = await made('/api/v1/monitors', { kind: 'domain', enabled: false, ...body }, account.testKey);
  return atItsPath(`/api/v1/monitors/${id}`, account.testKey);
};

const inADay = () => ({ muted_until: new Date(clock.at + DAY_MS).toISOString(), note: 'They know' });

async function mutedList(): Promise<Changeable> {
  const { path, key } = await monitor({ target: 'listed.example.com' });
  await made(`${path}/lists/spamhaus-dbl`, inADay(), key, 'PATCH');
  return { path: `${path}/lists/spamhaus-dbl`, key, show: async () => (await shown(path, key)).muted_lists[0] };
}

async function finding(target: string, change?: object): Promise<Changeable> {
  const { path, key } = await monitor({ target, enabled: true });
  clock.at += 2_000;
  await service.app.get(MonitorSweep).runDue();
  const find = async () => (await shown(`${path}/findings`, key)).findings[0];
  const at = `${path}/findings/${(await find()).id}`;
  if (change !== undefined) await made(at, change, key, 'PATCH');
  return { path: at, key, show: find };
}

function anyAccount(id: string): Changeable {
  const path = `/admin/v1/accounts/${id}`;
  // What administrators did is listed there too, and the change is such an act.
  const show = async () => ({ ...(await shown(path, adminKey)), audit: [] });
  return { path, key: adminKey, show };
}

async function customer(body: object): Promise<Changeable> {
  return anyAccount((await made('/admin/v1/accounts', { name: 'Shop', ...body }, adminKey)).id);
}

const settings = (path: string, changes: readonly object[]) =>
  changes.map((change) => async () => {
    await made(path, change, account.liveKey, 'PATCH');
    return atItsPath(path, account.liveKey);
  });

/** By route: things of it that show each of its members as null and otherwise. */
const CHANGEABLE: Readonly<Record<string, readonly (() => Promise<Changeable>)[]>> = {
  '/api/v1/keys/{id}': [
    () => ownKey({}),
    () => ownKey({ name: 'Shop', ...SCOPE, ...CEILINGS }),
    () => ownKey({ kind: 'test', name: 'Shop', ceilings: { credits_per_month: 7 } }),
  ],
  '/api/v1/verification-settings': settings('/api/v1/verification-settings', [{ reuse: true }, { reuse: false }]),
  '/api/v1/batch-settings': settings('/api/v1/batch-settings', [
    { retention_days: null, retry_window_seconds: null },
    { retention_days: 3, retry_window_seconds: 60 },
  ]),
  '/api/v1/suppression-settings': settings('/api/v1/suppression-settings', [
    { report_in_verify: true },
    { report_in_verify: false },
  ]),
  '/api/v1/verify/batch/{id}': [() => keptBatch('/api/v1/verify/batch', EMAILS)],
  '/api/v1/finder/batch/{id}': [
    () => keptBatch('/api/v1/finder/batch', { people: [{ full_name: 'Jane Doe', domain: 'example.com' }] }),
  ],
  '/api/v1/lists/{id}': [ownList],
  '/api/v1/webhooks/{id}': [
    () => endpoint({}),
    () => endpoint({ url: sink.url('/disabled'), events: ['batch.completed'], include_results: 7 }, { enabled: false }),
    endpointOfBatch,
  ],
  '/api/v1/monitors/{id}': [
    () => monitor({ target: 'example.com' }),
    () =>
      monitor({
        target: 'example.org',
        name: 'Shop',
        interval_minutes: 120,
        checks: ['mx', 'spf'],
        dkim_selectors: ['s1'],
        sending_addresses: ['203.0.113.7'],
        alert_from: 'critical',
        notify_first: true,
      }),
    () => monitor({ kind: 'address', target: '203.0.113.7' }),
  ],
  '/api/v1/monitors/{id}/lists/{list}': [mutedList],
  '/api/v1/monitors/{id}/findings/{finding_id}': [
    () => finding('no-dmarc.example.com'),
    () => finding('fixed-later.example.com', inADay()),
  ],
  '/admin/v1/accounts/{id}': [
    () => customer({}),
    () => customer({ plan: 'scale', contact_email: 'ops@example.com', note: 'By telephone' }),
    async () => anyAccount((await agent()).account_id),
  ],
  '/admin/v1/pool': [async () => atItsPath('/admin/v1/pool', adminKey)],
  '/admin/v1/keys/{id}': [
    () => anyOwnKey({}),
    () => anyOwnKey({ name: 'Shop', ...SCOPE, ...CEILINGS }),
    async () => anyKey((await made('/admin/v1/keys', { name: 'alice', permissions: ['read'] }, adminKey)).id),
    async () => anyKey((await agent()).key_id),
  ],
};

interface Document {
  readonly paths: Readonly<Record<string, { readonly patch?: Body }>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties: object }>> };
}

/** The members that each change takes, by its route, as the documents tell. */
async function changes(): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const [path, key] of [
    ['/agent-gateway/openapi.json', undefined],
    ['/api/v1/openapi.json', undefined],
    ['/admin/v1/openapi.json', adminKey],
  ] as const) {
    const response = await fetch(service.url + path, { headers: key ? { authorization: `Bearer ${key}` } : {} });
    const { paths, components } = (await response.json()) as Document;
    for (const [route, { patch }] of Object.entries(paths)) {
      if (patch === undefined) continue;
      const { schema } = patch.requestBody.content['application/json'];
      const ref: string = schema.$ref ?? schema.oneOf[0].$ref;
      found.set(route, Object.keys(components.schemas[ref.split('/').at(-1)!]!.properties));
    }
  }
  return found;
}

it('what a reply shows of a thing is taken by each route that changes it, and changes nothing', async () => {
  const known = await changes();
  expect([...known.keys()].toSorted(), 'a route with PATCH needs its row in this file').toEqual(
    Object.keys(CHANGEABLE).toSorted(),
  );
  for (const [route, members] of known)
    for (const make of CHANGEABLE[route]!) {
      const { path, key, show } = await make();
      const before = await show();
      const body = Object.fromEntries(members.filter((name) => name in before).map((name) => [name, before[name]]));
      expect(Object.keys(body), route).not.toEqual([]);
      const reply = await call(service, path, { key, method: 'PATCH', body });
      expect([reply.status, reply.body.fields], `PATCH ${path} ${JSON.stringify(body)}`).toEqual([200, undefined]);
      expect(await show(), `PATCH ${path} ${JSON.stringify(body)}`).toEqual(before);
    }
});
