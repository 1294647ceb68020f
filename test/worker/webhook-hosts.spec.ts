import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { WEBHOOK_RETRIES } from '../../src/platform/config/policies.js';
import { REDIS } from '../../src/platform/redis/redis.js';
import { WebhookWorker } from '../../src/webhooks/worker/webhook-worker.processor.js';
import { createFullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { ManualClock } from '../support/manual-clock.js';
import { testRedis } from '../support/redis.js';
import { startService, type TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';

/** What a host gets at once; no more comes back while a test runs. */
const BURST = 8;

let clock: ManualClock;
let dns: DnsServer;
let database: TestDatabase;
let services: TestService[];
let sinks: [WebhookSink, WebhookSink];

beforeEach(async () => {
  clock = new ManualClock(Date.now());
  database = await createTestDatabase();
  const { url: redisUrl } = await testRedis();
  dns = await startDnsServer({
    zones: { 'one.example.com': { A: ['127.0.0.1'] }, 'other.example.net': { CNAME: 'one.example.com' } },
  });
  const start = () => startService({ database, clock, env: { ...TO_LOOPBACK, dnsServers: [dns.address], redisUrl } });
  services = [await start(), await start()];
  for (const { app } of services)
    Object.assign(app.get<object>(WEBHOOK_RETRIES), { hostPerSecond: 0.001, hostBurst: BURST });
  sinks = [await startWebhookSink(), await startWebhookSink('127.0.0.2')];
});

afterEach(async () => {
  for (const service of services) await service.close();
  for (const sink of sinks) await sink.close();
  await dns.close();
  await database.drop();
});

/** An account with `count` endpoints at the sink, each of which is asked once with a `webhook.test`. */
async function accountWith(count: number, sink: WebhookSink): Promise<string> {
  const { liveKey: key } = await createFullAccount(database);
  for (let i = 0; i < count; i++) {
    const { status } = await call(services[0]!, '/api/v1/webhooks', { key, body: { url: sink.url(`/${key}/${i}`) } });
    expect(status).toBe(201);
  }
  return key;
}

/** How many of an account's deliveries have succeeded and how many wait without an attempt. */
async function standing(key: string): Promise<{ succeeded: number; waiting: number }> {
  const { body } = await call(services[0]!, '/api/v1/webhooks', { key });
  const logs = await Promise.all(
    body.webhooks.map(({ id }: { id: string }) => call(services[0]!, `/api/v1/webhooks/${id}/deliveries`, { key })),
  );
  const all = logs.flatMap(({ body: { deliveries } }) => deliveries as { status: string; attempts: object[] }[]);
  return {
    succeeded: all.filter(({ status }) => status === 'succeeded').length,
    waiting: all.filter(({ status, attempts }) => status === 'pending' && attempts.length === 0).length,
  };
}

const wake = () => Promise.all(services.map(({ app }) => app.get(WebhookWorker).wake()));
async function settled(key: string, succeeded: number, waiting: number): Promise<void> {
  const look = async () => {
    await wake();
    return standing(key);
  };
  await expect.poll(look).toEqual({ succeeded, waiting });
}

it('one receiving host gets its rate from all accounts and processes together, one account half of it, and nothing is lost', async () => {
  const [sink, elsewhere] = sinks;
  const flooding = await accountWith(BURST, sink);
  await settled(flooding, BURST / 2, BURST / 2);
  const second = await accountWith(3, sink);
  await settled(second, 3, 0);
  const third = await accountWith(3, sink);
  await settled(third, 1, 2);
  await settled(flooding, BURST / 2, BURST / 2);
  expect(sink.received).toHaveLength(BURST);
  await settled(await accountWith(2, elsewhere), 2, 0);

  // The host's time has come again.
  await services[0]!.app.get<Redis>(REDIS).flushdb();
  clock.advance(DAY_MS);
  await settled(third, 3, 0);
  await settled(flooding, BURST, 0);
  expect(sink.received).toHaveLength(BURST + 6);
  expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(BURST + 6);
});

it('a host is the same with another spelling of its name', async () => {
  const { liveKey: key } = await createFullAccount(database);
  const { port } = sinks[0];
  for (const url of [`http://127.1:${port}/1`, `http://127.0.0.1.:${port}/2`, `http://0x7f000001:${port}/3`])
    for (const part of ['a', 'b'])
      expect((await call(services[0]!, '/api/v1/webhooks', { key, body: { url: url + part } })).status).toBe(201);
  await settled(key, BURST / 2, 6 - BURST / 2);
});

it('a host is the same by whatever names and ports it is reached, and gets the name that was meant', async () => {
  const { liveKey: key } = await createFullAccount(database);
  const [sink] = sinks;
  const other = await startWebhookSink();
  try {
    const hosts = [`one.example.com:${sink.port}`, `other.example.net:${sink.port}`, `127.0.0.1:${other.port}`];
    for (const host of hosts)
      for (const path of ['/a', '/b'])
        expect(
          (await call(services[0]!, '/api/v1/webhooks', { key, body: { url: `http://${host}${path}` } })).status,
        ).toBe(201);
    await settled(key, BURST / 2, 6 - BURST / 2);
    const received = [...sink.received, ...other.received];
    expect(received).toHaveLength(BURST / 2);
    for (const { headers } of received) expect(hosts).toContain(headers.host);
    const [{ headers }] = sink.received as [WebhookSink['received'][number]];
    expect(headers.host).toMatch(/\.example\.(com|net):/);
  } finally {
    await other.close();
  }
});
