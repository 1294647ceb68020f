import { expect, it, onTestFinished } from 'vitest';
import pg from 'pg';
import { createFullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase } from '../support/database.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { testRedis } from '../support/redis.js';
import { confirmed, startWebhookSink } from '../support/webhook-sink.js';

const ROUNDS = Number(process.env['MONITOR_KILL_ROUNDS'] ?? 2);
const PATIENT = { timeout: 30_000, interval: 50 };

it('a worker that is killed between a run and its event loses neither and doubles neither', async () => {
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
  const { testKey: key } = await createFullAccount(database);
  const { body: endpoint } = await call(api, '/api/v1/webhooks', { key, body: { url: sink.url() } });
  await confirmed(database.url, endpoint.id, sink);

  for (let round = 0; round < ROUNDS; round++) {
    const lock = new pg.Client({ connectionString: database.url });
    await lock.connect();
    await lock.query('BEGIN');
    // The delivery of an event waits for the row of its endpoint: the run is written by then, and not committed.
    await lock.query('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [endpoint.id]);
    const target = `no-dmarc.round${round}.example.com`;
    const body = { kind: 'domain', target, notify_first: true };
    const { body: monitor } = await call(api, '/api/v1/monitors', { key, body });
    await expect.poll(() => onDatabase(database.url, WHO_WAITS), PATIENT).not.toEqual([]);
    worker.kill('SIGKILL');
    await worker.ended;
    await lock.query('ROLLBACK');
    await lock.end();
    const counts = () =>
      onDatabase(
        database.url,
        `SELECT (SELECT count(*)::integer FROM monitor_runs WHERE monitor_id = $1 AND number = 1) AS runs,
                (SELECT count(*)::integer FROM monitor_events WHERE monitor_id = $1 AND type = 'finding.opened') AS opened,
                (SELECT count(*)::integer FROM webhook_events WHERE type = 'monitor.changed' AND data LIKE $2) AS events`,
        [monitor.id, `%"target":"${target}"%`],
      );
    await expect.poll(counts, PATIENT).toEqual([{ runs: 0, opened: 0, events: 0 }]);
    // What passes by itself in less than two minutes.
    await onDatabase(database.url, 'UPDATE monitors SET leased_until = now()');
    await onDatabase(database.url, 'UPDATE webhook_endpoints SET lease_expires_at = now()');
    worker = await startProcess({ ...environment, ROLE: 'worker' });
    const received = () =>
      sink.received.filter(({ body: { type, data } }) => type === 'monitor.changed' && data.target === target);
    await expect.poll(received, PATIENT).toHaveLength(1);
    expect(received()[0]!.body.data).toMatchObject({ monitor_id: monitor.id, opened: [{ code: 'dmarc_missing' }] });
    expect(await counts()).toEqual([{ runs: 1, opened: 1, events: 1 }]);
    await call(api, `/api/v1/monitors/${monitor.id}`, { key, method: 'PATCH', body: { enabled: false } });
  }
}, 240_000);

const WHO_WAITS = `
  SELECT 1 AS one FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%outbox_deliveries%'`;
