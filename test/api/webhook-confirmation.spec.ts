import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { held } from '../support/held.js';
import { startService, type TestService } from '../support/service.js';
import { type Received, startWebhookSink, TO_LOOPBACK, verify, type WebhookSink } from '../support/webhook-sink.js';

const EMAILS = ['jane@example.com', 'bob+invalid@example.com'];
const MOST = 100;

let service: TestService;
let sink: WebhookSink;
let account: FullAccount;

beforeAll(async () => {
  service = await startService({ env: TO_LOOPBACK });
});

afterAll(() => service.close());

beforeEach(async () => {
  sink = await startWebhookSink();
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterEach(() => sink.close());

const ask = (path: string, body?: unknown, method?: string, key = account.testKey) =>
  call(service, `/api/v1/webhooks${path}`, { key, body, ...(method && { method }) });
const submit = (webhook_url: string | null, key = account.testKey) =>
  call(service, '/api/v1/verify/batch', { key, body: { emails: EMAILS, webhook_url } });
const typesOf = (received: readonly Received[]) => received.map(({ body }) => body.type as string);

/** Waits for an event of this type. */
async function heard(type: string, count = 1): Promise<Received> {
  for (let so_far = count; ; so_far++) {
    const all = (await sink.until(so_far)).filter(({ body }) => body.type === type);
    if (all.length >= count) return all[count - 1]!;
  }
}

const confirmation = async (id: string) => (await ask(`/${id}`)).body.confirmed_at as string | null;
async function confirmed(id: string): Promise<void> {
  await expect.poll(() => confirmation(id), { timeout: 15_000 }).not.toBeNull();
}

describe('a new URL', () => {
  it('is asked at once with a signed webhook.test, and is confirmed by its 2xx', async () => {
    const { body } = await ask('', { url: sink.url() });
    expect(body).toMatchObject({ confirmed_at: null });
    const one = await heard('webhook.test');
    verify(body.secret, one);
    expect(one.body.data).toEqual({ endpoint_id: body.id, message: expect.stringContaining('2xx') });
    await confirmed(body.id);
  });

  it('that a batch names first is asked too, before it gets the batch’s event; named again it is not', async () => {
    const { body } = await submit(sink.url());
    await heard('batch.completed');
    expect(typesOf(sink.received)).toEqual(['webhook.test', 'batch.completed']);
    verify(body.webhook.secret, sink.received[0]!);
    await submit(sink.url());
    await heard('batch.completed', 2);
    expect(typesOf(sink.received)).toEqual(['webhook.test', 'batch.completed', 'batch.completed']);
  });

  it('to which an endpoint is changed has to confirm again; events changed alone ask nothing', async () => {
    const { body } = await ask('', { url: sink.url() });
    await confirmed(body.id);
    const same = await ask(`/${body.id}`, { url: sink.url(), events: ['batch.completed'] }, 'PATCH');
    expect(same.body.confirmed_at).not.toBeNull();
    sink.answer = ({ path }, response) => response.writeHead(path === '/other' ? 500 : 204).end();
    const changed = await ask(`/${body.id}`, { url: sink.url('/other') }, 'PATCH');
    expect(changed.body.confirmed_at).toBeNull();
    await heard('webhook.test', 2);
    expect(sink.received.map(({ path }) => path)).toEqual(['/hook', '/other']);
    expect(await confirmation(body.id)).toBeNull();
    await ask(`/${body.id}`, { url: sink.url() }, 'PATCH');
    await heard('webhook.test', 3);
    await confirmed(body.id);
  });

  it('is not confirmed by what the URL before it answers late', async () => {
    const late = held<void>();
    sink.answer = ({ path }, response) =>
      path === '/other' ? response.writeHead(500).end() : void late.promise.then(() => response.writeHead(204).end());
    const { body } = await ask('', { url: sink.url() });
    await sink.until(1);
    await ask(`/${body.id}`, { url: sink.url('/other') }, 'PATCH');
    late.resolve();
    await expect.poll(async () => (await ask(`/${body.id}`)).body.last_success_at, { timeout: 15_000 }).not.toBeNull();
    expect(await confirmation(body.id)).toBeNull();
  });
});

describe('the body of an event', () => {
  it('carries counts and results_url until the URL has answered 2xx, and results from then on', async () => {
    sink.answer = (_, response) => response.writeHead(500).end();
    const { body: batch } = await submit(sink.url());
    const first = await heard('batch.completed');
    expect(first.body.data).toMatchObject({ id: batch.id, status: 'completed', results: null });
    expect(first.body.data.results_url).toContain(`${service.url}/api/v1/verify/batch/${batch.id}/download`);
    expect(first.text).not.toContain('example.com');
    const kept = await service.app.get(DataSource).query('SELECT FROM webhook_bodies WHERE batch_id = $1', [batch.id]);
    expect(kept).toEqual([]);

    sink.answer = (_, response) => response.writeHead(200).end();
    await ask(`/${batch.webhook.id}/test`, undefined, 'POST');
    await confirmed(batch.webhook.id);
    const { body: log } = await ask(`/${batch.webhook.id}/deliveries`);
    const { id, message_id } = log.deliveries.find(({ type }: { type: string }) => type === 'batch.completed');
    await ask(`/deliveries/${id}/redeliver`, undefined, 'POST');
    const again = await heard('batch.completed', 2);
    expect(again.headers['webhook-id']).toBe(message_id);
    expect(again.body.data).toEqual({ ...first.body.data, results: expect.any(Array) });
    expect(again.body.data.results.map(({ email }: { email: string }) => email)).toEqual(EMAILS);
  });

  it('of one event has results for the endpoint that has confirmed, and none for the other', async () => {
    sink.answer = ({ path }, response) => response.writeHead(path === '/well' ? 204 : 500).end();
    const { body: well } = await ask('', { url: sink.url('/well') });
    await confirmed(well.id);
    await submit(sink.url('/ill'));
    await heard('batch.completed', 2);
    const results = sink.received
      .filter(({ body }) => body.type === 'batch.completed')
      .map(({ path, body }) => [path, body.data.results?.length ?? null] as const);
    expect(Object.fromEntries(results)).toEqual({ '/well': EMAILS.length, '/ill': null });
  });
});

describe('the limit of endpoints', () => {
  const fill = (count: number, simulated: boolean) =>
    service.app.get(DataSource).query(
      `INSERT INTO webhook_endpoints (account_id, simulated, url, events, created_via, secret, created_at)
       SELECT $1, $2, 'https://example.com/' || i, '{}', CASE WHEN i % 2 = 0 THEN 'api' ELSE 'batch' END, '', now()
         FROM generate_series(1, $3::integer) AS i`,
      [account.accountId, simulated, count],
    );
  const countOf = async (key: string) =>
    (await ask('?limit=100', undefined, 'GET', key)).body.webhooks.length as number;

  it('counts those that batches name: one more is refused, and no batch is made', async () => {
    await fill(MOST - 1, true);
    const last = await submit(sink.url());
    expect(last.status).toBe(201);
    const refused = await submit(sink.url('/one-more'));
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_endpoints']);
    expect((await ask('', { url: sink.url('/one-more') })).body.code).toBe('too_many_endpoints');
    expect((await call(service, '/api/v1/verify/batch', { key: account.testKey })).body.batches).toHaveLength(1);
    expect((await submit(sink.url())).status).toBe(201);
  });

  it('is exact when batches and registrations come at once', async () => {
    await fill(MOST - 3, true);
    const statuses = await Promise.all(
      Array.from({ length: 16 }, async (_, i) =>
        i % 2 ? (await submit(sink.url(`/${i}`))).status : (await ask('', { url: sink.url(`/${i}`) })).status,
      ),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    expect(await countOf(account.testKey)).toBe(MOST);
  });

  it('lets one new URL that many batches name at once be one endpoint', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => submit(sink.url())));
    expect(new Set(replies.map(({ body }) => body.webhook.id)).size).toBe(1);
    expect(replies.filter(({ body }) => body.webhook.secret !== null)).toHaveLength(1);
    await heard('batch.completed', 8);
    expect(typesOf(sink.received).filter((type) => type === 'webhook.test')).toHaveLength(1);
  });

  it('of test keys leaves room for live ones', async () => {
    await fill(MOST, true);
    expect((await ask('', { url: sink.url() })).status).toBe(409);
    expect((await ask('', { url: sink.url() }, 'POST', account.liveKey)).status).toBe(201);
  });
});
