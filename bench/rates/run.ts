import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';

import { openDatabaseProgram } from '../../src/cli/admin/database-program.js';
import { createAdminClient } from '../../src/client/client.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { loadPolicies, type Plan, PLANS, policyNamed } from '../../src/platform/config/policies.js';
import { runMigrations } from '../../src/platform/database/migrate.js';
import { startEmbedded } from '../../src/platform/embedded/embedded.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    seconds: { type: 'string', default: '60' },
    processes: { type: 'string', default: '4' },
    times: { type: 'string', default: '3' },
    plans: { type: 'string', default: PLANS.join(',') },
  },
});
if (values.help) {
  console.log('npm run bench:rates -- [--seconds 60] [--processes 4] [--times 3] [--plans free,pro,scale]');
  process.exit();
}
const seconds = Number(values.seconds);
const times = Number(values.times);

const { keyPolicies } = loadPolicies({ retentionDays: 30 });
const ACTOR = { keyId: null, name: 'bench', origin: 'bench', claim: null };
const silent = () => undefined;

const folder = mkdtempSync(join(tmpdir(), 'mailsonde-bench-'));
const env = loadEnv({ DATA_DIR: folder });
const embedded = await startEmbedded(env, silent);
await runMigrations(embedded.databaseUrl, silent);
const program = await openDatabaseProgram(env, embedded.databaseUrl, false);
const { api_key: adminKey } = await program.createKey(ACTOR, { name: 'bench' });
await program.close();
const services = await Promise.all(Array.from({ length: Number(values.processes) }, startService));
const administrator = createAdminClient({ baseUrl: services[0]!.url, apiKey: adminKey! });

console.log(`${services.length} processes, asked for ${times} times the rate for ${seconds} s`);
console.log(
  'plan   rate  burst  sent   seconds  granted  rate x time + burst  difference  other statuses  p50 ms  p99 ms',
);
for (const plan of values.plans.split(',')) console.log(await measure(plan));

for (const { child, pool } of services) {
  await pool.close();
  child.kill('SIGTERM');
  await once(child, 'close');
}
await embedded.stop();
rmSync(folder, { recursive: true, force: true });

async function measure(plan: Plan): Promise<string> {
  const { perSecond, burst } = policyNamed(keyPolicies, plan).rate as { perSecond: number; burst: number };
  const key = await newKey(plan);
  const total = Math.round(times * perSecond * seconds);
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  for (let sent = 0; sent < total; await delay(1)) {
    const due = Math.min(total, Math.ceil((times * perSecond * (performance.now() - startedAt)) / 1000));
    for (; sent < due; sent++) running.push(ask(sent, key, statuses, latencies));
  }
  await Promise.all(running);
  // Where the machine answers more slowly than it is asked, the limiter is asked until the last answer.
  const elapsed = (performance.now() - startedAt) / 1000;
  const granted = statuses.get(200) ?? 0;
  const allowed = burst + perSecond * elapsed;
  const others = [...statuses].filter(([status]) => status !== 200 && status !== 429);
  const percentile = (part: number) => latencies.sort((a, b) => a - b)[Math.floor(part * (latencies.length - 1))]!;
  return [
    plan.padEnd(7),
    String(perSecond).padEnd(6),
    String(burst).padEnd(7),
    String(total).padEnd(7),
    elapsed.toFixed(2).padEnd(9),
    `${granted}${granted > allowed ? ' OVER' : ''}`.padEnd(9),
    allowed.toFixed(1).padEnd(21),
    `${((100 * (granted - allowed)) / allowed).toFixed(3)}%`.padEnd(12),
    JSON.stringify(Object.fromEntries(others)).padEnd(16),
    percentile(0.5).toFixed(1).padEnd(8),
    percentile(0.99).toFixed(1),
  ].join('');
}

async function ask(i: number, key: string, statuses: Map<number, number>, latencies: number[]): Promise<void> {
  const askedAt = performance.now();
  const { pool } = services[i % services.length]!;
  const { statusCode, body } = await pool.request({
    path: '/api/v1/keys',
    method: 'GET',
    headers: { authorization: `Bearer ${key}` },
  });
  await body.dump();
  latencies.push(performance.now() - askedAt);
  statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
}

async function newKey(plan: Plan): Promise<string> {
  const account = await administrator.POST('/admin/v1/accounts', { body: { name: 'bench', plan: plan as 'pro' } });
  const params = { path: { id: account.data!.id } };
  return (await administrator.POST('/admin/v1/accounts/{id}/keys', { params, body: {} })).data!.api_key!;
}

async function startService(): Promise<{ child: ChildProcess; pool: Pool; url: string }> {
  const port = await freePort();
  const main = new URL('../../src/main.js', import.meta.url).pathname;
  const variables = {
    DATABASE_URL: embedded.databaseUrl,
    REDIS_URL: embedded.redisUrl,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PORT: String(port),
  };
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...variables, ROLE: 'api' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  while (!output.includes('istening on')) output += String((await once(child.stdout, 'data'))[0]);
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}`;
  return { child, pool: new Pool(url, { connections: 64 }), url };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
