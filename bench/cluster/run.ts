import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';

import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { runMigrations } from '../../src/platform/database/migrate.js';
import { startService, startSink } from '../batch/processes.js';
import { countWrong } from '../batch/truth.js';
import { batchAddresses, OTHERS_FROM } from '../batch/workload.js';
import { batchClient, freePort, isOver, newKey, type Status } from '../batch/world.js';
import { Callers, Reader } from './callers.js';
import { folderFor, startBalancer, startPostgres, startRedis, startRedisCluster, stopAll } from './servers.js';

/*
 * Two processes of role api behind HAProxy, three workers, PostgreSQL with a replica behind PgBouncer, Redis with a replica and three
 * sentinels, or a Redis Cluster of three primaries with a replica each. A batch and single verifications run while each of them is lost once,
 * or two nodes of the cluster. test/real/cluster.sh and test/real/redis-cluster.sh start it.
 */
const { values } = parseArgs({
  options: {
    // So many that the batch outlasts the losses.
    addresses: { type: 'string', default: '15000' },
    // What Redis is: `sentinels` or `cluster`.
    redis: { type: 'string', default: 'sentinels' },
    callers: { type: 'string', default: '4' },
    // Between two losses.
    seconds: { type: 'string', default: '8' },
    // Of the mail hosts, in milliseconds, so that the batch lasts.
    latency: { type: 'string', default: '200' },
    // From the last loss to the end of the batch, in seconds.
    patience: { type: 'string', default: '1200' },
    programs: { type: 'string', default: '/usr/lib/postgresql/15/bin' },
    uid: { type: 'string', default: '0' },
    gid: { type: 'string', default: '0' },
  },
});
const count = Number(values.addresses);
const callerCount = Number(values.callers);
const SINGLES = 100_000;
const user = { uid: Number(values.uid), gid: Number(values.gid) };
const folder = mkdtempSync(join(tmpdir(), 'mailsonde-cluster-'));
folderFor(folder, user);

const postgres = await startPostgres(folder, values.programs, user);
const sentinels = values.redis === 'cluster' ? null : await startRedis(folder);
const nodes = sentinels === null ? await startRedisCluster(folder) : null;
await runMigrations(postgres.url, () => undefined);
const first = await connected(postgres.url);
const key = await newKey(first, count + SINGLES);
await first.end();
const dns = await startSink('../batch/dns-sink.js');
const smtp = await startSink('../smtp/sink.js', [values.latency]);
const environment = {
  DATABASE_URL: postgres.url,
  DATABASE_READ_URL: postgres.replicaUrl,
  REDIS_URL: (sentinels ?? nodes!).url,
  SECRETS_KEY: randomBytes(32).toString('base64'),
  DNS_SERVERS: `127.0.0.1:${dns.port}`,
  DNS_KNOWN_DOMAINS: 'd0.example.com',
  SMTP_PORT: String(smtp.port),
  MX_ALLOWED_NETWORKS: '127.0.0.0/8',
  // What met a loss is tried again soon.
  BATCH_RETRY_WINDOW_SECONDS: '30',
};
const ports = [await freePort(), await freePort()];
const services: ChildProcess[] = [];
let endedByThemselves = 0;
const metricsPorts = [await freePort(), await freePort()];
for (const [i, port] of ports.entries())
  await serve({ ROLE: 'api', PORT: String(port), METRICS_PORT: String(metricsPorts[i]) });
for (let i = 0; i < 3; i++) await serve({ ROLE: 'worker' });
const balancer = await startBalancer(folder, ports);
await delay(1_500); // Until HAProxy has seen both.

const batch = batchClient(balancer.port, key);
const { id } = await batch.submit(batchAddresses(count));
const singles = Array.from({ length: callerCount }, (_, i) => batchAddresses(SINGLES, OTHERS_FROM * (i + 2), 5_000));
const callers = new Callers(balancer.port, key, singles);
const reader = new Reader(balancer.port, key);

type Loss = readonly [string, () => void | Promise<void>];
const OF_AN_INSTALLATION: readonly Loss[] = [
  ['the primary of Redis (SIGKILL)', () => sentinels!.killPrimary()],
  ['the machine of a worker (SIGKILL)', () => services.pop()!.kill('SIGKILL')],
  ['HAProxy is reloaded (SIGUSR2)', () => balancer.reload()],
  ['the primary of PostgreSQL (SIGKILL), its replica is promoted', () => postgres.failOver()],
];
const OF_A_CLUSTER: readonly Loss[] = [
  ['the node that has all permits for connections (SIGKILL)', () => nodes!.killHolderOf('{limiter}')],
  ['the node that wakes the workers (SIGKILL)', () => nodes!.killHolderOf('{mailsonde:0}')],
];
const losses: readonly Loss[] = [['nothing', () => undefined], ...(nodes === null ? OF_AN_INSTALLATION : OF_A_CLUSTER)];
const beganAt = Date.now();
const rows: (readonly (string | number)[])[] = [];
let readsBefore = { replica: 0, primary: 0 };
for (const [what, lose] of losses) {
  const at = Date.now();
  // The last loss takes the replica away, which becomes the primary.
  if (what === losses.at(-1)![0]) readsBefore = await readsOfReplica();
  await lose();
  await delay(Number(values.seconds) * 1_000);
  rows.push([what, `${((at - beganAt) / 1_000).toFixed(0)} s`, at]);
}
const status = await ended();
await within(60, Promise.all([callers.stop(), reader.stop()]), 'callers are not answered');
const finishedAt = Date.now();

console.log('| lost | after | singles | p50 | p99 | tries that failed |\n|---|---:|---:|---:|---:|---|');
for (const [i, [what, after, at]] of rows.entries()) {
  const seen = callers.seen(Number(at), Number(rows[i + 1]?.[2] ?? finishedAt));
  console.log(`| ${what} | ${after} | ${seen.calls} | ${seen.p50} ms | ${seen.p99} ms | ${seen.failed} |`);
}
const wrong = countWrong(await batch.csv(id), batchAddresses(count));
const database = await connected(postgres.url);
const { rows: balances } = await database.query('SELECT used_total, reserved FROM credit_balances');
const { rows: charged } = await database.query(
  `SELECT coalesce(sum(credits), 0) AS credits FROM usage_days WHERE endpoint = 'verify'`,
);
await database.end();
const view = await createDataSource(postgres.url);
const { differing } = await new CreditsAudit(view).run();
await view.destroy();
// A killed PostgreSQL may lose the reservation of what is being asked, which is answered and not charged (ADR 50).
const free = callers.calls.length - callers.charged;
const mayBeFree = nodes === null ? callerCount : 0;
const expected = count + callers.charged;
const used = Number(balances[0].used_total);
console.log(
  `\nBatch of ${count}: ${status.status} after ${((Date.parse(status.completed_at) - beganAt) / 1_000).toFixed(0)} s, ${wrong} rows wrong or missing, ${status.credits_charged} credits charged.`,
);
console.log(
  `Singles: ${callers.calls.length} answered, ${callers.wrong} wrongly, ${charged[0].credits} charged, ${free} told to be free of at most ${mayBeFree}. Charged in all: ${used}, expected ${expected}; reserved ${balances[0].reserved}; accounts that do not add up: ${differing.length}; processes that ended by themselves: ${endedByThemselves}.`,
);
const failedReads = [...reader.failures].map(([kind, times]) => `${times} × ${kind}`).join(', ') || '0';
console.log(
  `Reads of ledger, usage and batches: ${reader.reads}, not answered: ${failedReads}. Before the last loss the replica answered ${readsBefore.replica} and the primary ${readsBefore.primary} that it might have.`,
);
const isCharged = used === expected && Number(charged[0].credits) === callers.charged && free <= mayBeFree;
const isExact =
  status.status === 'completed' && wrong === 0 && callers.wrong === 0 && isCharged && readsBefore.replica > 0;
endedByThemselves = Number.NEGATIVE_INFINITY;
for (const child of services.splice(0)) child.kill('SIGKILL');
await stopAll();
rmSync(folder, { recursive: true, force: true });
console.log(
  isExact && differing.length === 0 ? 'Nothing was lost, and nothing charged twice.' : 'NOT AS IT SHOULD BE.',
);
process.exit(isExact && differing.length === 0 ? 0 : 1);

/** What both processes of role api say of who answered. */
async function readsOfReplica(): Promise<{ replica: number; primary: number }> {
  const texts = await Promise.all(
    metricsPorts.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  const sum = (from: string) =>
    texts.reduce((total, text) => {
      const found = new RegExp(`^mailsonde_replica_reads_total\\{from="${from}"\\} (\\d+)`, 'm').exec(text);
      return total + Number(found?.[1] ?? 0);
    }, 0);
  return { replica: sum('replica'), primary: sum('primary') };
}

async function serve(role: Record<string, string>): Promise<void> {
  const child = await startService({ ...environment, ...role }, null);
  services.push(child);
  child.once('exit', () => (endedByThemselves += services.includes(child) ? 1 : 0));
}

async function ended(): Promise<Status> {
  for (const end = Date.now() + Number(values.patience) * 1_000; Date.now() < end; await delay(1_000)) {
    const now = await batch.status(id).catch(() => null);
    if (now !== null && isOver(now)) return now;
  }
  return givenUp('the batch does not end');
}

async function within<T>(seconds: number, work: Promise<T>, complaint: string): Promise<T> {
  return Promise.race([work, delay(seconds * 1_000, null, { ref: false }).then(() => givenUp(complaint))]);
}

/** @throws Error with what each process of role api says of itself, and what of the batch is open */
async function givenUp(complaint: string): Promise<never> {
  const said = ports.map(async (port) => {
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) });
    return `${reply.status} ${await reply.text()}`;
  });
  const states = await Promise.all(said.map((each) => each.catch(String)));
  const database = await connected(postgres.url);
  const { rows: open } = await database.query(
    `SELECT number, partition, pass, attempts, due_at, worker_id, lease_expires_at, now() AS at FROM batch_chunks WHERE NOT done LIMIT 10`,
  );
  const { rows: busy } = await database.query(
    `SELECT application_name, state, wait_event, now() - query_start AS since, left(query, 200) AS query
       FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid()`,
  );
  throw new Error(
    [`${complaint}; /readyz says:`, ...states, ...[...open, ...busy].map((row) => JSON.stringify(row))].join('\n'),
  );
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
