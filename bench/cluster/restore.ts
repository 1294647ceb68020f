import { type ChildProcess, execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';

import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { runMigrations } from '../../src/platform/database/migrate.js';
import { startService, startSink } from '../batch/processes.js';
import { countWrong } from '../batch/truth.js';
import { batchAddresses, exists, OTHERS_FROM } from '../batch/workload.js';
import { batchClient, freePort, isOver, newKey } from '../batch/world.js';
import { askOnce, Callers, type Sent } from './callers.js';
import { folderFor, postgresIn, type Server, serveRedis, stopAll } from './servers.js';

/*
 * Batches and single verifications run while a dump and a base backup with WAL are taken. Then everything ends at once. Each backup becomes a
 * PostgreSQL of its own, with an empty Redis beside it, and the service goes on to the end: callers send all their requests again, under
 * the same idempotency keys. test/real/restore.sh starts it.
 */
const { values } = parseArgs({
  options: {
    addresses: { type: 'string', default: '20000' },
    callers: { type: 'string', default: '4' },
    // Of the mail hosts, in milliseconds, so that batches are open when they are saved.
    latency: { type: 'string', default: '200' },
    // From the start on a backup to the end of its batches, in seconds.
    patience: { type: 'string', default: '1200' },
    programs: { type: 'string', default: '/usr/lib/postgresql/15/bin' },
    uid: { type: 'string', default: '0' },
    gid: { type: 'string', default: '0' },
  },
});
const SINGLES = 100_000;
const POINT = 'drill';
const RESENT_AT_ONCE = 8;
const count = Number(values.addresses);
const counts = [Math.round(count * 0.75), count - Math.round(count * 0.75)];
const user = { uid: Number(values.uid), gid: Number(values.gid) };
const folder = mkdtempSync(join(tmpdir(), 'mailsonde-restore-'));
const archive = join(folder, 'archive');
folderFor(folder, user);
folderFor(archive, user);
const { run, serve, init } = postgresIn(folder, values.programs, user);
const program = (name: string, options: readonly string[]) =>
  promisify(execFile)(join(values.programs, name), options, { ...user, cwd: folder });
const urlOf = ({ port }: Server): string => `postgres://mailsonde@127.0.0.1:${port}/mailsonde`;
const at = ({ port }: Server): string[] => ['-h', '127.0.0.1', '-U', 'mailsonde', '-p', String(port)];
const addressesOf = (number: number) => batchAddresses(counts[number]!, number * 20 * OTHERS_FROM);
const services: ChildProcess[] = [];

init('source');
const source = await serve('source', await freePort(), [
  'archive_mode=on',
  `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`,
]);
run('createdb', [...at(source), 'mailsonde']);
await runMigrations(urlOf(source), () => undefined);
const first = await connected(urlOf(source));
const key = await newKey(first, count + SINGLES);
const dns = await startSink('../batch/dns-sink.js');
const smtp = await startSink('../smtp/sink.js', [values.latency]);
const environment = {
  SECRETS_KEY: randomBytes(32).toString('base64'),
  DNS_SERVERS: `127.0.0.1:${dns.port}`,
  DNS_KNOWN_DOMAINS: 'd0.example.com',
  SMTP_PORT: String(smtp.port),
  MX_ALLOWED_NETWORKS: '127.0.0.0/8',
  BATCH_RETRY_WINDOW_SECONDS: '30',
};

const redis = await serveRedis(folder, 'redis-source');
const port = await startInstallation(source, redis);
const batch = batchClient(port, key);
const ids: number[] = [];
for (const number of counts.keys()) ids.push((await batch.submit(addressesOf(number))).id);
const singles = Array.from({ length: Number(values.callers) }, (_, i) =>
  batchAddresses(SINGLES, OTHERS_FROM * (i + 2), 5_000),
);
const callers = new Callers(port, key, singles);
while ((await batch.status(ids[0]!)).processed < counts[0]! * 0.1) await delay(200);

const dumpFile = join(folder, 'mailsonde.dump');
const savedAt = Date.now();
await Promise.all([
  program('pg_dump', [...at(source), '-Fc', '-f', dumpFile, 'mailsonde']),
  program('pg_basebackup', [...at(source), '-D', join(folder, 'from-base'), '-X', 'stream', '-c', 'fast']),
]);
const savedMs = Date.now() - savedAt;
await program('pg_verifybackup', [join(folder, 'from-base')]);
const { rows: points } = await first.query('SELECT pg_walfile_name(pg_create_restore_point($1)) AS file', [POINT]);
await first.query('SELECT pg_switch_wal()');
while (!(await isArchived(String(points[0].file)))) await delay(100);
await first.end();
// Everything at once: what is under way is left as it is.
for (const child of services.splice(0)) child.kill('SIGKILL');
const ended = [source, redis].map(({ child }) => new Promise((resolve) => child.once('exit', resolve)));
for (const { child } of [source, redis]) child.kill('SIGKILL');
await Promise.all([...ended, callers.abandon()]);
console.log(
  `Saved in ${(savedMs / 1_000).toFixed(1)} s under load; then all was ended, with ${callers.sent.length} singles sent and ${callers.calls.length} answered.\n`,
);
console.log(
  '| restored from | in | chunks done | singles charged | to the end | in the end |\n|---|---:|---:|---:|---:|---|',
);

const results = [
  await goOn('a dump', async () => {
    init('from-dump');
    const server = await serve('from-dump', await freePort(), []);
    run('createdb', [...at(server), 'mailsonde']);
    await program('pg_restore', [...at(server), '-d', 'mailsonde', '--exit-on-error', '-j', '2', dumpFile]);
    return server;
  }),
  await goOn('a base backup, to a point in time', async () => {
    const data = join(folder, 'from-base');
    const settings = `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_name = '${POINT}'\nrecovery_target_action = 'promote'\n`;
    appendFileSync(join(data, 'postgresql.auto.conf'), settings);
    writeFileSync(join(data, 'recovery.signal'), '');
    chownSync(join(data, 'recovery.signal'), user.uid, user.gid);
    const server = await serve('from-base', await freePort(), []);
    for (;;) {
      const database = await connected(urlOf(server));
      const { rows } = await database.query('SELECT pg_is_in_recovery() AS recovers');
      await database.end();
      if (!rows[0].recovers) return server;
      await delay(100);
    }
  }),
];
await stopAll();
rmSync(folder, { recursive: true, force: true });
const isExact = results.every(Boolean) && callers.wrong === 0;
console.log(isExact ? '\nBoth went on exactly.' : '\nNOT AS IT SHOULD BE.');
process.exit(isExact ? 0 : 1);

/** Starts the service on what a backup gives back, and lets it come to the end. @returns whether everything is as it should be */
async function goOn(what: string, restore: () => Promise<Server>): Promise<boolean> {
  const startedAt = Date.now();
  const server = await restore();
  const restoredMs = Date.now() - startedAt;
  const before = await stateOf(server);
  const emptyRedis = await serveRedis(folder, `redis-${server.port}`);
  const workedFrom = Date.now();
  const restoredPort = await startInstallation(server, emptyRedis);
  const client = batchClient(restoredPort, key);
  const waiting = callers.sent.values();
  const wrongSingles = await Promise.all(
    Array.from({ length: RESENT_AT_ONCE }, () => sendAgain(restoredPort, waiting)),
  );
  const end = workedFrom + Number(values.patience) * 1_000;
  let statuses = await Promise.all(ids.map((id) => client.status(id)));
  while (!statuses.every(isOver) && Date.now() < end) {
    await delay(500);
    statuses = await Promise.all(ids.map((id) => client.status(id)));
  }
  const workedMs = Date.now() - workedFrom;
  let wrong = wrongSingles.reduce((sum, some) => sum + some, 0);
  for (const [number, id] of ids.entries())
    wrong +=
      statuses[number]!.status === 'completed'
        ? countWrong(await client.csv(id), addressesOf(number))
        : counts[number]!;
  for (const child of services.splice(0)) child.kill('SIGKILL');
  const after = await stateOf(server);
  for (const { child } of [server, emptyRedis]) child.kill('SIGKILL');
  const expected = count + callers.sent.length;
  const differing = before.differing + after.differing;
  console.log(
    `| ${what} | ${(restoredMs / 1_000).toFixed(1)} s | ${before.done} of ${before.chunks} | ${before.singles} of ${callers.sent.length} | ${(workedMs / 1_000).toFixed(0)} s | ${statuses.map(({ status }) => status).join(', ')}; ${wrong} wrong or missing; ${after.used} charged of ${expected}, ${after.reserved} reserved; ${differing} accounts that do not add up |`,
  );
  const wasOpen = before.done < before.chunks;
  const isCharged = after.used === expected && after.reserved === 0 && after.singles === callers.sent.length;
  return wasOpen && isCharged && wrong === 0 && differing === 0;
}

/** @returns how many were answered wrongly */
async function sendAgain(restoredPort: number, waiting: IterableIterator<Sent>): Promise<number> {
  let wrong = 0;
  for (const sent of waiting) {
    const end = Date.now() + Number(values.patience) * 1_000;
    let reply = await askOnce(restoredPort, key, sent);
    while ((reply === null || typeof reply === 'string') && Date.now() < end) {
      await delay(250);
      reply = await askOnce(restoredPort, key, sent);
    }
    const verdict = reply === null || typeof reply === 'string' ? null : reply.verdict;
    if (verdict !== (exists(sent.email) ? 'valid' : 'invalid')) wrong += 1;
  }
  return wrong;
}

async function stateOf(server: Server) {
  const database = await connected(urlOf(server));
  const { rows } = await database.query(
    `SELECT (SELECT sum(used_total) FROM credit_balances) AS used, (SELECT sum(reserved) FROM credit_balances) AS reserved,
            (SELECT coalesce(sum(credits), 0) FROM usage_days WHERE endpoint = 'verify') AS singles,
            (SELECT count(*) FROM batch_chunks) AS chunks, (SELECT count(*) FROM batch_chunks WHERE done) AS done`,
  );
  await database.end();
  const view = await createDataSource(urlOf(server));
  const { differing, differingCeilings } = await new CreditsAudit(view).run();
  await view.destroy();
  const numbers = Object.entries(rows[0] as Record<string, string>).map(([name, value]) => [name, Number(value)]);
  const state = Object.fromEntries(numbers) as Record<'used' | 'reserved' | 'singles' | 'chunks' | 'done', number>;
  return { ...state, differing: differing.length + differingCeilings.length };
}

/** One process of role api and two workers. @returns the port of the first */
async function startInstallation(server: Server, { port: redisPort }: Server): Promise<number> {
  const apiPort = await freePort();
  const urls = { DATABASE_URL: urlOf(server), REDIS_URL: `redis://127.0.0.1:${redisPort}/0` };
  const roles: Record<string, string>[] = [
    { ROLE: 'api', PORT: String(apiPort) },
    { ROLE: 'worker' },
    { ROLE: 'worker' },
  ];
  for (const role of roles) services.push(await startService({ ...environment, ...urls, ...role }, null));
  return apiPort;
}

async function isArchived(file: string): Promise<boolean> {
  const { rows } = await first.query('SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver', [file]);
  return rows[0].done === true;
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
