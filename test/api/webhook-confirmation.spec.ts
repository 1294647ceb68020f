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
  await expect.poll(() => confirmation(id)).not.toBeNull();
}

describe('a new URL', () => {
  it('a new URL is asked at once with a signed webhook.test, and is confirmed by its 2xx', async () => {
    const { body } = await ask('', { url: sink.url() });
    expect(body).toMatchObject({ confirmed_at: null });
    const one = await heard('webhook.test');
    verify(body.secret, one);
    expect(one.body.data).toEqual({ endpoint_id: body.id, message: expect.stringContaining('2xx') });
    await confirmed(body.id);
  });

  it('a new URL that a batch names first is asked too, before it gets the batch’s event; named again it is not', async () => {
    const { body } = await submit(sink.url());
    await heard('batch.completed');
    expect(typesOf(sink.received)).toEqual(['webhook.test', 'batch.completed']);
    verify(body.webhook.secret, sink.received[0]!);
    await submit(sink.url());
    await heard('batch.completed', 2);
    expect(typesOf(sink.received)).toEqual(['webhook.test', 'batch.completed', 'batch.completed']);
  });

  it('a new URL to which an endpoint is changed has to confirm again; events changed alone ask nothing', async () => {
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

  it('a new URL is not confirmed by what the URL before it answers late', async () => {
    const late = held<void>();
    sink.answer = ({ path }, response) =>
      path === '/other' ? response.writeHead(500).end() : void late.promise.then(() => response.writeHead(204).end());
    const { body } = await ask('', { url: sink.url() });
    await sink.until(1);
    await ask(`/${body.id}`, { url: sink.url('/other') }, 'PATCH');
    late.resolve();
    await expect.poll(async () => (await ask(`/${body.id}`)).body.last_success_at).not.toBeNull();
    expect(await confirmation(body.id)).toBeNull();
  });
});

describe('the body of an event', () => {
  it('the body of an event carries counts and results_url until the URL has answered 2xx, and results from then on', async () => {
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

  it('the body of an event of one event has results for the endpoint that has confirmed, and none for the other', async () => {
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

describe('include_results', () => {
  const rowsOf = ({ body }: Received) =>
    (body.data.results as { email: string }[] | null)?.map(({ email }) => email) ?? null;

  it('include_results says how many rows of results a body carries, and results_url is there always', async () => {
    const endpoints = [1_000, 1, 0].map(async (include_results) => {
      const { body } = await ask('', { url: sink.url(`/${include_results}`), include_results });
      expect(body.include_results).toBe(include_results);
      await confirmed(body.id);
    });
    await Promise.all(endpoints);
    await submit(null);
    await heard('batch.completed', 3);
    const completed = sink.received.filter(({ body }) => body.type === 'batch.completed');
    expect(Object.fromEntries(completed.map((one) => [one.path, rowsOf(one)]))).toEqual({
      '/1000': EMAILS,
      '/1': EMAILS.slice(0, 1),
      '/0': null,
    });
    for (const { body } of completed) expect(body.data.results_url).toContain('/download?');
    expect(completed.find(({ path }) => path === '/0')!.text).not.toContain('example.com');
  });

  it('include_results is 1,000 unless it is said, of the URL of a batch too, and may be changed later', async () => {
    const { body: batch } = await submit(sink.url());
    await heard('batch.completed');
    const { id } = batch.webhook;
    expect((await ask(`/${id}`)).body.include_results).toBe(1_000);
    await confirmed(id);
    const changed = await ask(`/${id}`, { include_results: 0 }, 'PATCH');
    expect(changed.body).toMatchObject({ include_results: 0, made_by: 'batch' });
    expect(changed.body.confirmed_at).not.toBeNull();
    await submit(sink.url());
    expect(rowsOf(await heard('batch.completed', 2))).toBeNull();
  });

  it.each([-1, 1_001, 1.5, '10'])('include_results of %s is refused', async (include_results) => {
    const { status, body } = await ask('', { url: sink.url(), include_results });
    expect([status, body.fields[0].field]).toEqual([422, 'include_results']);
  });
});

describe('a sample', () => {
  const EVENTS = ['batch.completed', 'batch.failed', 'batch.cancelled', 'list.changed', 'credits.low', 'webhook.test'];

  async function endpoint(more: object = {}, path = '/hook'): Promise<string> {
    const { body } = await ask('', { url: sink.url(path), ...more });
    await confirmed(body.id);
    return body.id;
  }

  it('a sample of each event goes to the one endpoint, whatever it subscribes to, and says that it is one', async () => {
    const [id] = await Promise.all([endpoint({ events: ['batch.failed'] }), endpoint({}, '/other')]);
    for (const event of EVENTS) {
      const { status, body } = await ask(`/${id}/samples/${event}`, undefined, 'POST');
      expect([status, body.type, body.sample]).toEqual([202, event, true]);
    }
    await sink.until(2 + EVENTS.length);
    const samples = sink.received.slice(2);
    expect(samples.map(({ path, body }) => [path, body.type, body.sample])).toEqual(
      EVENTS.map((event) => ['/hook', event, true]),
    );
    expect(samples[0]!.body.data).toMatchObject({ id: 0, name: 'Sample' });
    expect(samples[0]!.text).not.toMatch(/@(?!example\.com)/);
  });

  it('a sample has the members of a real event, and no real event says that it is a sample', async () => {
    const id = await endpoint();
    await submit(null);
    const real = await heard('batch.completed');
    expect(real.body).not.toHaveProperty('sample');
    await ask(`/${id}/samples/batch.completed`, undefined, 'POST');
    const sample = await heard('batch.completed', 2);
    const namesOf = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, namesOf(one)]))
        : null;
    expect(namesOf(sample.body.data)).toEqual(namesOf(real.body.data));
    const [shown, given] = [sample.body.data.results, real.body.data.results];
    expect(namesOf(shown[0])).toEqual(namesOf(given[0]));
  });

  it('a sample has as many rows as the endpoint wants, and none before its URL is confirmed', async () => {
    const one = await endpoint({ include_results: 1 });
    await ask(`/${one}/samples/batch.completed`, undefined, 'POST');
    expect((await heard('batch.completed')).body.data.results).toHaveLength(1);
    sink.answer = (_, response) => response.writeHead(500).end();
    const { body } = await ask('', { url: sink.url('/new') });
    await ask(`/${body.id}/samples/batch.completed`, undefined, 'POST');
    expect((await heard('batch.completed', 2)).body.data.results).toBeNull();
  });

  it('a sample of an unknown event, of a disabled endpoint and of another account is refused', async () => {
    const id = await endpoint();
    const unknown = await ask(`/${id}/samples/batch.begun`, undefined, 'POST');
    expect([unknown.status, unknown.body.fields[0].field]).toEqual([422, 'event']);
    const stranger = await createFullAccount({ url: service.env.databaseUrl });
    expect((await ask(`/${id}/samples/credits.low`, undefined, 'POST', stranger.testKey)).status).toBe(404);
    await ask(`/${id}`, { enabled: false }, 'PATCH');
    expect((await ask(`/${id}/samples/credits.low`, undefined, 'POST')).body.code).toBe('endpoint_disabled');
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

  it('the limit of endpoints counts those that batches name: one more is refused, and no batch is made', async () => {
    await fill(MOST - 1, true);
    const last = await submit(sink.url());
    expect(last.status).toBe(201);
    const refused = await submit(sink.url('/one-more'));
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_endpoints']);
    expect((await ask('', { url: sink.url('/one-more') })).body.code).toBe('too_many_endpoints');
    expect((await call(service, '/api/v1/verify/batch', { key: account.testKey })).body.batches).toHaveLength(1);
    expect((await submit(sink.url())).status).toBe(201);
  });

  it('the limit of endpoints is exact when batches and registrations come at once', async () => {
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

  it('the limit of endpoints lets one new URL that many batches name at once be one endpoint', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => submit(sink.url())));
    expect(new Set(replies.map(({ body }) => body.webhook.id)).size).toBe(1);
    expect(replies.filter(({ body }) => body.webhook.secret !== null)).toHaveLength(1);
    await heard('batch.completed', 8);
    expect(typesOf(sink.received).filter((type) => type === 'webhook.test')).toHaveLength(1);
  });

  it('the limit of endpoints of test keys leaves room for live ones', async () => {
    await fill(MOST, true);
    expect((await ask('', { url: sink.url() })).status).toBe(409);
    expect((await ask('', { url: sink.url() }, 'POST', account.liveKey)).status).toBe(201);
  });
});
