import { expect, it, onTestFinished } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase } from '../support/database.js';
import { held } from '../support/held.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';
import { confirmed, startWebhookSink, verify } from '../support/webhook-sink.js';

const ROUNDS = Number(process.env['WEBHOOK_KILL_ROUNDS'] ?? 2);
/** In a round: one is sent when the worker is killed, the others wait behind it. */
const EVENTS = 3;

it('a worker that is killed between sending and recording loses nothing: every event comes again with the same id', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const sink = await startWebhookSink();
  onTestFinished(sink.close);
  const environment = {
    DATABASE_URL: database.url,
    REDIS_URL: (await testRedis()).url,
    SECRETS_KEY: '11'.repeat(32),
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_PORTS: String(sink.port),
    LOG_LEVEL: 'info',
  };
  const api = await startProcess({ ...environment, ROLE: 'api' });
  let worker: ServiceProcess = await startProcess({ ...environment, ROLE: 'worker' });
  onTestFinished(async () => {
    for (const one of [api, worker]) one.kill('SIGKILL');
    await Promise.all([api.ended, worker.ended]);
  });
  const { liveKey: key } = await createFullAccount(database);
  const { body: endpoint } = await call(api, '/api/v1/webhooks', { key, body: { url: sink.url() } });
  const path = `/api/v1/webhooks/${endpoint.id}`;
  await confirmed(database.url, endpoint.id, sink);

  for (let round = 0; round < ROUNDS; round++) {
    const sent = held<void>();
    // Received, and never answered: the worker waits for the reply, and has written nothing down.
    sink.answer = () => sent.resolve();
    const before = sink.received.length;
    const ids: string[] = [];
    for (let i = 0; i < EVENTS; i++)
      ids.push((await call(api, `${path}/test`, { key, method: 'POST' })).body.message_id);
    await sent.promise;
    worker.kill('SIGKILL');
    await worker.ended;
    expect(sink.received[before]!.headers['webhook-id']).toBe(ids[0]);
    sink.answer = (_, response) => response.writeHead(204).end();
    // What passes by itself in ten seconds.
    await onDatabase(database.url, 'UPDATE webhook_endpoints SET lease_expires_at = now()');
    worker = await startProcess({ ...environment, ROLE: 'worker' });

    const received = await sink.until(before + 1 + EVENTS);
    expect(received.slice(before).map(({ headers }) => headers['webhook-id'])).toEqual([ids[0], ...ids]);
    for (const one of received.slice(before)) verify(endpoint.secret, one);
    expect(received[before + 1]!.text).toBe(received[before]!.text);
    await expect
      .poll(async () => (await call(api, `${path}/deliveries?status=pending`, { key })).body.deliveries, {
        timeout: 15_000,
      })
      .toEqual([]);
  }
  const { body } = await call(api, `${path}/deliveries?status=succeeded&limit=100`, { key });
  expect(body.deliveries).toHaveLength(EVENTS * ROUNDS);
}, 180_000);
