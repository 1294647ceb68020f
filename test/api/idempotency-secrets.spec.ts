import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { SECRET_MEMBERS } from '../../src/idempotency/stored-reply.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';
import { startService, type TestService } from '../support/service.js';
import { TO_LOOPBACK } from '../support/webhook-sink.js';

const [OLD, NEW] = ['11'.repeat(32), '22'.repeat(32)];
const HEADERS = { 'idempotency-key': 'order-7' };
const URL = 'http://127.0.0.1:1/';

let database: TestDatabase;
let service: TestService;
let account: FullAccount;

const start = (secretsKey: string) =>
  startService({ database, env: { ...TO_LOOPBACK, role: 'api' as const, secretsKey } });

beforeAll(async () => {
  database = await createTestDatabase();
  service = await start(OLD);
});

afterAll(async () => {
  await service.close();
  await database.drop();
});

beforeEach(async () => {
  account = await createFullAccount(database);
});

const createKey = (on: { readonly url: string } = service) =>
  call(on, '/api/v1/keys', { key: account.liveKey, body: { name: 'Shop' }, headers: HEADERS });
const countKeys = async () =>
  (await call(service, '/api/v1/keys', { key: account.liveKey })).body.keys.length as number;

async function secondLiveKey(): Promise<string> {
  return (await call(service, '/api/v1/keys', { key: account.liveKey, body: {} })).body.api_key;
}

describe('a kept reply', () => {
  it('a kept reply is opened by SECRETS_KEY alone: a thief with the whole database and another key gets no token, and nothing is done twice', async () => {
    const first = await createKey();
    expect(first.status).toBe(201);
    const stranger = await start(NEW);
    const reply = await createKey(stranger);
    await stranger.close();
    expect([reply.status, reply.body.code]).toEqual([409, 'idempotency_reply_lost']);
    expect(JSON.stringify(reply.body)).not.toContain(first.body.api_key);
    expect(await countKeys()).toBe(3);
    expect((await createKey()).body).toEqual(first.body);
  });

  it('a kept reply is opened on every process, and after SECRETS_KEY has changed with the old key kept behind the new one', async () => {
    const first = await createKey();
    const changed = await start(`${NEW},${OLD}`);
    const again = await createKey(changed);
    await changed.close();
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
  });

  it('a kept reply that was forgotten says that the work was done, and does not do it again', async () => {
    await createKey();
    await service.app.get(DataSource).query(`UPDATE idempotency_keys SET reply = '' WHERE reply IS NOT NULL`);
    const { status, body } = await createKey();
    expect([status, body.code]).toEqual([409, 'idempotency_reply_lost']);
    expect(await countKeys()).toBe(3);
  });
});

describe('a reply that shows a secret', () => {
  const requests: [string, () => Promise<[path: string, body: object | undefined]>, (body: never) => unknown][] = [
    ['of a new key', async () => ['/api/v1/keys', {}], ({ api_key }: { api_key: unknown }) => api_key],
    [
      'of a rotated key',
      async () => {
        const { body } = await call(service, '/api/v1/keys', { key: account.liveKey, body: {} });
        return [`/api/v1/keys/${body.id}/rotate`, {}];
      },
      ({ api_key }: { api_key: unknown }) => api_key,
    ],
    ['of a new endpoint', async () => ['/api/v1/webhooks', { url: URL }], ({ secret }: { secret: unknown }) => secret],
    [
      'of an endpoint whose secret is rotated',
      async () => {
        const { body } = await call(service, '/api/v1/webhooks', { key: account.liveKey, body: { url: URL } });
        return [`/api/v1/webhooks/${body.id}/rotate-secret`, undefined];
      },
      ({ secret }: { secret: unknown }) => secret,
    ],
    [
      'of a batch that names a new URL',
      async () => ['/api/v1/verify/batch', { emails: ['no address'], webhook_url: URL }],
      ({ webhook }: { webhook: { secret: unknown } }) => webhook.secret,
    ],
  ];

  it.each(requests)(
    '%s is replayed whole to the key that asked, and with null in its place to any other',
    async (_what, request, secretOf) => {
      const [path, body] = await request();
      const other = await secondLiveKey();
      const post = (key: string) => call(service, path, { key, body, method: 'POST', headers: HEADERS });
      const first = await post(account.liveKey);
      const secret = secretOf(first.body as never);
      expect(secret).toMatch(/^(ms_live|whsec)_/);
      const foreign = await post(other);
      expect([foreign.status, foreign.headers.get('idempotent-replayed')]).toEqual([first.status, 'true']);
      expect(secretOf(foreign.body as never)).toBeNull();
      expect(JSON.stringify(foreign.body)).toBe(JSON.stringify(first.body).replace(JSON.stringify(secret), 'null'));
      expect((await post(account.liveKey)).body).toEqual(first.body);
    },
  );

  it('a reply that shows a secret without any secret is the same for every key of the account', async () => {
    const other = await secondLiveKey();
    const verify = (key: string) =>
      call(service, '/api/v1/verify', { key, body: { email: 'no address' }, headers: HEADERS });
    expect((await verify(other)).body).toEqual((await verify(account.liveKey)).body);
  });

  it('a reply that shows a secret names it by a member that replays know, whatever route is added', async () => {
    const { body } = await call(service, '/api/v1/openapi.json');
    const members = Object.values(body.components.schemas as Record<string, { properties?: object }>).flatMap(
      ({ properties = {} }) => Object.entries(properties as Record<string, { description?: string }>),
    );
    const secrets = members.filter(
      ([name, { description = '' }]) => /(secret|token|api_key)$/.test(name) || /never again/i.test(description),
    );
    expect(secrets.length).toBeGreaterThanOrEqual(3);
    for (const [name] of secrets) expect(SECRET_MEMBERS).toContain(name);
  });
});

it('processes of one machine without SECRETS_KEY open what each other sealed, and warn that no other machine can', async () => {
  const { url: REDIS_URL } = await testRedis();
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'mailsonde-shared-'));
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }));
  const environment = { DATABASE_URL: database.url, REDIS_URL, DATA_DIR, SECRETS_KEY: '', ROLE: 'api' };
  const processes = await Promise.all([startProcess(environment), startProcess(environment)]);
  try {
    const [first, again] = [await createKey(processes[0]), await createKey(processes[1])];
    expect(first.body.api_key).toMatch(/^ms_live_/);
    expect(again.body).toEqual(first.body);
    for (const { output } of processes) expect(output()).toContain('SECRETS_KEY is not set');
  } finally {
    for (const { kill } of processes) kill('SIGTERM');
    await Promise.all(processes.map(({ ended }) => ended));
  }
});
