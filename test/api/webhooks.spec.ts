import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { EVENT_TYPES } from '../../src/events/outbox.js';
import { EndpointSecrets } from '../../src/webhooks/endpoint-secrets.js';
import { WebhookCleanup } from '../../src/webhooks/worker/webhook-cleanup.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { confirmed, startWebhookSink, TO_LOOPBACK, verify, type WebhookSink } from '../support/webhook-sink.js';

const NOTHING = '00000000-0000-4000-8000-000000000000';
/** What its confirmation changes of an endpoint. */
const SINCE_THEN = { confirmed_at: expect.any(String), last_success_at: expect.any(String) };

let service: TestService;
let sink: WebhookSink;
let account: FullAccount;
let key: string;

beforeAll(async () => {
  service = await startService({ env: TO_LOOPBACK });
});

afterAll(() => service.close());

beforeEach(async () => {
  sink = await startWebhookSink();
  account = await createFullAccount({ url: service.env.databaseUrl });
  key = account.liveKey;
});

afterEach(() => sink.close());

const ask = (path: string, body?: unknown, method?: string, headers: Record<string, string> = {}, as = key) =>
  call(service, `/api/v1/webhooks${path}`, { key: as, body, headers, ...(method && { method }) });

async function newEndpoint(more: object = {}) {
  const { status, body } = await ask('', { url: sink.url(), ...more });
  expect(status).toBe(201);
  await confirmed(service.env.databaseUrl, body.id, sink);
  return body as { id: string; secret: string; url: string; events: string[] };
}

async function delivered(id: string, count = 1) {
  await expect.poll(async () => (await ask(`/${id}/deliveries?status=succeeded`)).body.deliveries.length).toBe(count);
  return (await ask(`/${id}/deliveries`)).body.deliveries;
}

describe('an endpoint', () => {
  it('an endpoint is registered with a secret that is shown once', async () => {
    const made = await newEndpoint();
    expect(made).toMatchObject({
      url: sink.url(),
      events: [...EVENT_TYPES],
      mode: 'live',
      made_by: 'api',
      enabled: true,
      disabled_reason: null,
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    });
    const { secret, ...rest } = { ...made, ...SINCE_THEN };
    expect((await ask(`/${made.id}`)).body).toEqual(rest);
    expect((await ask('')).body).toEqual({ webhooks: [rest], next_cursor: null });
    expect(JSON.stringify((await ask('')).body)).not.toContain(secret);
  });

  it('an endpoint is registered once for the same idempotency key, with the same secret in the reply', async () => {
    const headers = { 'idempotency-key': 'register-1' };
    const [first, again] = [
      await ask('', { url: sink.url() }, 'POST', headers),
      await ask('', { url: sink.url() }, 'POST', headers),
    ];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await ask('')).body.webhooks).toHaveLength(1);
  });

  it('an endpoint is one to a URL, however the URL is written', async () => {
    await newEndpoint();
    const { status, body } = await ask('', { url: `http://127.1:${sink.port}/x/../hook#part` });
    expect([status, body.code]).toEqual([409, 'endpoint_exists']);
  });

  it('an endpoint is changed, disabled and deleted', async () => {
    const { id } = await newEndpoint();
    const changed = await ask(`/${id}`, { events: ['credits.low'], url: sink.url('/other') }, 'PATCH');
    expect(changed.body).toMatchObject({ events: ['credits.low'], url: sink.url('/other'), enabled: true });
    const disabled = await ask(`/${id}`, { enabled: false }, 'PATCH');
    expect(disabled.body).toMatchObject({ enabled: false, disabled_reason: 'owner', events: ['credits.low'] });
    expect((await ask(`/${id}/test`, undefined, 'POST')).body.code).toBe('endpoint_disabled');
    expect((await ask(`/${id}`, undefined, 'DELETE')).status).toBe(204);
    expect((await ask(`/${id}`)).body.code).toBe('webhook_not_found');
  });

  it('an endpoint cannot take the URL of another one', async () => {
    await newEndpoint();
    const { id } = await newEndpoint({ url: sink.url('/second') });
    expect((await ask(`/${id}`, { url: sink.url() }, 'PATCH')).status).toBe(409);
  });

  it.each([
    ['no URL', {}],
    ['a URL that is no text', { url: 7 }],
    ['an unknown event', { url: 'https://example.com/', events: ['batch.started'] }],
    ['an event that is only sent on request', { url: 'https://example.com/', events: ['webhook.test'] }],
    ['no event', { url: 'https://example.com/', events: [] }],
    ['an event twice', { url: 'https://example.com/', events: ['credits.low', 'credits.low'] }],
    ['an unknown mode', { url: 'https://example.com/', mode: 'both' }],
  ])('an endpoint is refused with %s', async (_, body) => {
    const reply = await ask('', body);
    expect([reply.status, reply.body.code]).toEqual([422, 'invalid_input']);
    expect((await ask('')).body.webhooks).toEqual([]);
  });

  it('an endpoint is for full accounts', async () => {
    const agent = await register(service);
    expect((await ask('', { url: sink.url() }, 'POST', {}, agent)).body.code).toBe('full_account_required');
    const batch = { emails: ['valid@example.com'], webhook_url: sink.url() };
    const { status, body } = await call(service, '/api/v1/verify/batch', { key: agent, body: batch });
    expect([status, body.code]).toEqual([403, 'full_account_required']);
  });

  it('an endpoint is of the mode of the key that registers it, and may say so', async () => {
    for (const [as, mode] of [
      [account.liveKey, 'live'],
      [account.testKey, 'test'],
    ] as const) {
      const { body: own } = await ask('', { url: sink.url(), mode }, 'POST', {}, as);
      expect(own.mode).toBe(mode);
      expect((await ask('', undefined, 'GET', {}, as)).body.webhooks).toMatchObject([{ id: own.id }]);
    }
  });
});

describe('the secrets of endpoints', () => {
  it('the secrets of endpoints are sealed again when SECRETS_KEY has changed, and sign as before', async () => {
    const { id, secret } = await newEndpoint();
    await ask(`/${id}/rotate-secret`, undefined, 'POST');
    const database = { url: service.env.databaseUrl, drop: async () => undefined };
    const changed = await startService({
      database,
      env: { ...TO_LOOPBACK, secretsKey: `${'22'.repeat(32)},${service.env.secretsKey}` },
    });
    await changed.app.get(WebhookCleanup).resealSecrets();
    await changed.close();
    const only = await startService({ database, env: { ...TO_LOOPBACK, secretsKey: '22'.repeat(32) } });
    const [row] = await onDatabase(
      database.url,
      'SELECT secret, previous_secret FROM webhook_endpoints WHERE id = $1',
      [id],
    );
    const secrets = only.app.get(EndpointSecrets);
    expect(secrets.open(id, row!['previous_secret'] as Buffer)).toBe(secret);
    expect(() => service.app.get(EndpointSecrets).open(id, row!['secret'] as Buffer)).toThrow('SECRETS_KEY has no key');
    await only.close();
  });
});

describe('a delivery', () => {
  it('a delivery is signed so that the public library verifies it, and refuses a changed byte, an old time and a foreign id', async () => {
    const { id, secret } = await newEndpoint();
    const { status, body } = await ask(`/${id}/test`, undefined, 'POST');
    expect(status).toBe(202);
    const [one] = await sink.until(1);
    expect(verify(secret, one!)).toEqual(one!.body);
    expect(one!.body).toEqual({
      type: 'webhook.test',
      timestamp: body.created_at,
      data: { endpoint_id: id, message: expect.any(String) },
    });
    expect(one!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': body.message_id,
      'content-length': String(Buffer.byteLength(one!.text)),
    });
    expect(() => verify(secret, { ...one!, text: one!.text.replace('test', 'tost') })).toThrow('signature');
    const foreign = { ...one!.headers, 'webhook-id': 'msg_other' };
    expect(() => verify(secret, { ...one!, headers: foreign })).toThrow('signature');
    const old = { ...one!.headers, 'webhook-timestamp': String(Number(one!.headers['webhook-timestamp']) - 301) };
    expect(() => verify(secret, { ...one!, headers: old })).toThrow('old');
    expect(() => verify(`whsec_${'A'.repeat(43)}=`, one!)).toThrow('signature');
    expect(await delivered(id)).toMatchObject([{ status: 'succeeded', attempts: [{ number: 1, status: 204 }] }]);
  });

  it('a delivery is signed with both secrets for a day after a rotation', async () => {
    const { id, secret } = await newEndpoint();
    const rotated = await ask(`/${id}/rotate-secret`, undefined, 'POST');
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).not.toBe(secret);
    const until = Date.parse(rotated.body.old_secret_expires_at);
    expect(Math.abs(until - Date.now() - DAY_MS)).toBeLessThan(60_000);
    await ask(`/${id}/test`, undefined, 'POST');
    const [one] = await sink.until(1);
    expect(one!.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const each of [secret, rotated.body.secret]) expect(verify(each, one!)).toEqual(one!.body);
  });

  it('a delivery is in the log with its response, to read by cursor', async () => {
    const { id } = await newEndpoint();
    sink.answer = (_, response) => response.writeHead(200).end('thank you\0');
    for (let i = 0; i < 3; i++) await ask(`/${id}/test`, undefined, 'POST');
    const all = await delivered(id, 3);
    expect(all[0].attempts).toMatchObject([{ number: 1, status: 200, error: null, reply: 'thank you' }]);
    const first = (await ask(`/${id}/deliveries?limit=2`)).body;
    const second = (await ask(`/${id}/deliveries?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.deliveries, ...second.deliveries]).toEqual(all);
    expect(second.next_cursor).toBeNull();
    const one = (await ask(`/deliveries/${all[0].id}`)).body;
    expect(one).toMatchObject({ id: all[0].id, message_id: all[0].message_id, attempts: [{ reply: 'thank you' }] });
    expect((await ask(`/deliveries/${NOTHING}`)).body.code).toBe('delivery_not_found');
  });

  it('a delivery shows the request of every attempt as it was sent, without what would let its reader send it again', async () => {
    const { id } = await newEndpoint();
    await ask(`/${id}/test`, undefined, 'POST');
    const [sent] = await sink.until(1);
    const [listed] = await delivered(id);
    const { request } = (await ask(`/deliveries/${listed.id}`)).body.attempts[0];
    const names = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp'];
    const plain = Object.fromEntries(names.map((name) => [name, sent!.headers[name]]));
    expect(request).toEqual({
      headers: { ...plain, 'webhook-signature': 'v1,…' },
      body_bytes: Buffer.byteLength(sent!.text),
      body: sent!.text,
    });
    expect(listed.attempts[0].request).toEqual({ ...request, body: null });
  });

  it('a delivery is sent again with the same id, alone or with all of a range of time', async () => {
    const { id, secret } = await newEndpoint();
    for (let i = 0; i < 2; i++) await ask(`/${id}/test`, undefined, 'POST');
    const [newest, oldest] = await delivered(id, 2);
    const again = await ask(`/deliveries/${newest.id}/redeliver`, undefined, 'POST');
    expect([again.status, again.body.status]).toEqual([202, 'pending']);
    await sink.until(3);
    expect(sink.received[2]!.headers['webhook-id']).toBe(newest.message_id);
    expect(verify(secret, sink.received[2]!)).toEqual(sink.received[1]!.body);
    await delivered(id, 2);
    expect((await ask(`/${id}/redeliver`, {})).body).toEqual({ redelivered: 0 });
    const range = { since: oldest.created_at, until: newest.created_at, include_succeeded: true };
    const count = oldest.created_at === newest.created_at ? 0 : 1;
    expect((await ask(`/${id}/redeliver`, range)).body).toEqual({ redelivered: count });
    const all = { since: oldest.created_at, include_succeeded: true };
    expect((await ask(`/${id}/redeliver`, all)).body).toEqual({ redelivered: 2 });
    await delivered(id, 2);
    expect((await ask(`/${id}/deliveries`)).body.deliveries[0].attempts.length).toBeGreaterThanOrEqual(3);
  });
});

type Row = Readonly<Record<string, unknown>>;

describe('a batch', () => {
  beforeEach(() => {
    key = account.testKey;
  });

  const EMAILS = ['jane@example.com', 'bob+invalid@example.com', 'jane@example.com'];
  const submit = (as: string, body: object) => call(service, '/api/v1/verify/batch', { key: as, body });

  it('a batch tells its end with its results, and a link to them that needs no key', async () => {
    const { secret } = await newEndpoint({ mode: 'test' });
    const live = await ask('', { url: sink.url('/live') }, 'POST', {}, account.liveKey);
    await confirmed(service.env.databaseUrl, live.body.id, sink);
    const { body: batch } = await submit(account.testKey, { emails: EMAILS, name: 'mine' });
    expect(batch.webhook).toBeNull();
    const [one] = await sink.until(1);
    expect(one!.path).toBe('/hook');
    verify(secret, one!);
    const { type, data } = one!.body;
    expect(type).toBe('batch.completed');
    const path = `/api/v1/verify/batch/${batch.id}`;
    const { results, results_url, ...status } = data as { results: Row[]; results_url: string };
    expect(status).toEqual((await call(service, path, { key })).body);
    const { body: page } = await call(service, `${path}/results`, { key });
    const known = (rows: Row[]) => rows.map((row) => ({ ...row, request_id: null }));
    expect(known(results)).toEqual(known(page.results));
    const link = results_url.slice(service.url.length);
    expect(known((await call(service, link)).body.results)).toEqual(known(page.results));
    const csv = await fetch(`${results_url}&format=csv&verdict=invalid`);
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(2);

    const lifted = link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const other = link.replace(String(batch.id), String(batch.id + 1));
    const longer = link.replace(/expires=\d+/, (text) => `${text}0`);
    for (const forged of [lifted, other, longer, link.split('?')[0]!, link.replace(/&signature.*/, '')])
      expect((await call(service, forged)).body.code, forged).toBe('not_found');
    await call(service, path, { key, method: 'DELETE' });
    expect((await call(service, link)).body.code).toBe('not_found');
  });

  it('a batch that is deleted leaves no copy of its addresses: what is sent again tells of it without them', async () => {
    const { id } = await newEndpoint({ mode: 'test' });
    const { body: batch } = await submit(account.testKey, { emails: EMAILS });
    const [delivery] = await delivered(id);
    expect(sink.received[0]!.body.data.results).toHaveLength(3);
    await call(service, `/api/v1/verify/batch/${batch.id}`, { key, method: 'DELETE' });
    const kept = await onDatabase(service.env.databaseUrl, 'SELECT 1 FROM webhook_bodies WHERE batch_id = $1', [
      batch.id,
    ]);
    expect(kept).toEqual([]);
    await ask(`/deliveries/${delivery.id}/redeliver`, undefined, 'POST');
    const [first, second] = await sink.until(2);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.body.data).toEqual({ ...first!.body.data, results: [], results_url: null });
  });

  it('a batch may name a URL of its own, whose secret is shown when it is first named', async () => {
    const { body: first } = await submit(account.testKey, { emails: EMAILS, webhook_url: sink.url('/own') });
    expect(first.webhook).toMatchObject({ url: sink.url('/own'), secret: expect.stringMatching(/^whsec_/) });
    const [, one] = await sink.until(2);
    expect(verify(first.webhook.secret, one!)).toMatchObject({ data: { id: first.id } });
    const { body: second } = await submit(account.testKey, { emails: EMAILS, webhook_url: sink.url('/own') });
    expect(second.webhook).toEqual({ ...first.webhook, secret: null });
    await sink.until(3);
    expect(verify(first.webhook.secret, sink.received[2]!)).toMatchObject({ data: { id: second.id } });
    const log = await ask(`/${first.webhook.id}/deliveries`);
    expect(log.body.deliveries).toMatchObject([{ batch_id: second.id }, { batch_id: first.id }, { batch_id: null }]);
    expect((await ask(`/${first.webhook.id}`)).body).toMatchObject({ made_by: 'batch', events: [] });
  });

  it('a batch is sent once to an endpoint that listens to batches and is named by one', async () => {
    const { id, secret } = await newEndpoint({ mode: 'test' });
    const { body } = await submit(account.testKey, { emails: EMAILS, webhook_url: sink.url() });
    expect(body.webhook).toEqual({ id, url: sink.url(), secret: null });
    const [one] = await sink.until(1);
    verify(secret, one!);
    expect(await delivered(id)).toHaveLength(1);
  });

  it('a batch with a URL that nothing may be sent to is refused and leaves nothing', async () => {
    for (const webhook_url of ['ftp://example.com/', 'http://user:pw@127.0.0.1/', 'http://10.0.0.1/', 'hook', '']) {
      const { status, body } = await submit(key, { emails: EMAILS, webhook_url });
      expect([status, body.fields[0].field], webhook_url).toEqual([422, 'webhook_url']);
    }
    expect((await call(service, '/api/v1/verify/batch', { key })).body.batches).toEqual([]);
    expect((await ask('')).body.webhooks).toEqual([]);
  });
});
