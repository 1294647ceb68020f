import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';

import { runMigrations } from '../../src/platform/database/migrate.js';
import { startPostgres } from '../../src/platform/embedded/postgres.js';
import { startRedis } from '../../src/platform/embedded/redis.js';
import { Secrets } from '../../src/platform/config/secrets.js';
import { cpuMicros, startService, startSink } from '../batch/processes.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    deliveries: { type: 'string', default: '10000' },
    endpoints: { type: 'string', default: '100' },
    hanging: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
  },
});
if (values.help) {
  console.log('npm run bench:webhooks -- [--deliveries 10000] [--endpoints 100] [--hanging 10] [--rounds 3]');
  process.exit();
}
const endpoints = Number(values.endpoints);
const hanging = Number(values.hanging);
const events = Math.round(Number(values.deliveries) / endpoints);
const healthy = endpoints - hanging;
const silent = (): void => undefined;

const folder = mkdtempSync(join(tmpdir(), 'mailsonde-bench-'));
chmodSync(folder, 0o755); // So that as root the server's user gets to its data.
const secretsKey = randomBytes(32).toString('base64');
const postgres = await startPostgres(folder, silent, ['max_connections=100']);
const redis = await startRedis(folder, silent, 16);
await runMigrations(postgres.url, silent);
const database = new pg.Client({ connectionString: postgres.url });
await database.connect();
const sink = await startSink('../webhooks/sink.js');
const environment = {
  ROLE: 'worker',
  LOG_LEVEL: 'info',
  DATABASE_URL: postgres.url,
  REDIS_URL: `${redis.url}/1`,
  SECRETS_KEY: secretsKey,
  WEBHOOK_ALLOW_INSECURE: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_PORTS: String(sink.port),
};
const worker = await startService(environment, null);

const alone: number[] = [];
const together: number[] = [];
await measure(0); // The first one also compiles and connects.
for (let round = 0; round < Number(values.rounds); round++) {
  alone.push(await measure(0));
  together.push(await measure(hanging));
}
const [a, b] = [median(alone), median(together)];
console.log(`${events} deliveries to each of ${healthy} healthy endpoints, 5 ms away, one worker`);
console.log(`alone            ${a.toFixed(2)} s (${Math.round((events * healthy) / a)} deliveries/s)`);
console.log(`with ${hanging} hanging  ${b.toFixed(2)} s`);
console.log(`ratio            ${(b / a).toFixed(2)}`);

worker.kill('SIGKILL');
sink.child.kill('SIGKILL');
await database.end();
await redis.stop();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });

/** Seconds until the healthy endpoints have got everything. */
async function measure(hangingNow: number): Promise<number> {
  await database.query('DELETE FROM accounts');
  const account = randomUUID();
  await database.query(`INSERT INTO accounts (id, kind, policy, created_at) VALUES ($1, 'full', 'scale', now())`, [
    account,
  ]);
  for (let i = 0; i < healthy + hangingNow; i++) await addEndpoint(account, i);
  await database.query(
    `INSERT INTO webhook_events (id, account_id, simulated, type, created_at, data)
     SELECT gen_random_uuid(), $1, false, 'credits.low', now(), '{"remaining":9,"threshold":10}' FROM generate_series(1, $2)`,
    [account, events],
  );
  await delay(500);
  const before = cpuMicros(worker.pid!);
  sink.child.send(events * healthy);
  const startedAt = performance.now();
  await database.query(
    `INSERT INTO webhook_deliveries (endpoint_id, event_id, due_at, created_at)
     SELECT e.id, v.id, now(), now() FROM webhook_events v CROSS JOIN webhook_endpoints e`,
  );
  await once(sink.child, 'message');
  const seconds = (performance.now() - startedAt) / 1000;
  const micros = (cpuMicros(worker.pid!) - before) / (events * healthy);
  console.log(`${hangingNow} hanging: ${seconds.toFixed(2)} s, ${Math.round(micros)} µs of CPU a delivery`);
  return seconds;
}

async function addEndpoint(account: string, number: number): Promise<void> {
  const id = randomUUID();
  const path = number < healthy ? 'ok' : 'hang';
  const url = `http://127.0.${1 + Math.floor(number / 250)}.${1 + (number % 250)}:${sink.port}/${path}`;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await database.query(
    `INSERT INTO webhook_endpoints (id, account_id, simulated, url, events, created_via, created_at, secret)
     VALUES ($1, $2, false, $3, '{}', 'api', now(), $4)`,
    [id, account, url, new Secrets(secretsKey).seal(secret, `webhook endpoint ${id}`)],
  );
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((x, y) => x - y)[Math.floor(numbers.length / 2)]!;
}
