import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { measureBareParts } from './bare-parts.js';
import { cpuMicros, peakRssMb, startService, startSink } from './processes.js';
import { countWrong } from './truth.js';
import { batchAddresses, OTHERS_FROM } from './workload.js';
import {
  batchClient,
  bodyOf,
  endInGoodOrder,
  freePort,
  isOver,
  newKey,
  startServers,
  storedBytes,
  type Status,
} from './world.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    addresses: { type: 'string', default: '100000' },
    workers: { type: 'string', default: '2' },
    first: { type: 'string', default: '0' },
    domains: { type: 'string' },
    plain: { type: 'boolean', default: false },
    reuse: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
if (values.help) {
  console.log(
    'npm run bench:batch -- [--addresses 100000] [--workers 2] [--first 0] [--domains 6000] [--plain] [--reuse]\n\nMail hosts offer STARTTLS, as nearly all real ones do.\n--plain: they offer none\n--first: so many of other domains are verified before, by a service that has just been started otherwise.\n--domains: of the list, 6% of its addresses when left out.\n--reuse: the verdicts of those are kept, and each of the others is looked up among them, in vain',
  );
  process.exit();
}
const count = Number(values.addresses);
const profile = values.profile ?? null;

const servers = await startServers();
const { database, postgresPid } = servers;
const first = Number(values.first);
const key = await newKey(database, count + first);
const dns = await startSink('./dns-sink.js');
const smtp = await startSink('../smtp/sink.js', ['0', values.plain ? 'clear' : 'starttls']);
const port = await freePort();
const environment = {
  ...servers.environment,
  DNS_SERVERS: `127.0.0.1:${dns.port}`,
  DNS_KNOWN_DOMAINS: 'd0.example.com',
  SMTP_PORT: String(smtp.port),
  MX_ALLOWED_NETWORKS: '127.0.0.0/8',
};
const processes: Record<string, ChildProcess> = {
  api: await startService({ ...environment, ROLE: 'api', PORT: String(port) }, profile),
};
for (let i = 1; i <= Number(values.workers); i++)
  processes[`worker ${i}`] = await startService({ ...environment, ROLE: 'worker' }, profile);

/** As a customer would: what is measured is the batch. When it was completed, the batch says. */
const POLL_MS = 1_000;
const domains = values.domains === undefined ? undefined : Number(values.domains);
const addresses = [...batchAddresses(count, 0, domains)];
const settings = values.reuse ? { reuse_days: 90 } : {};
const body = bodyOf(addresses, 'bench', settings);
const client = batchClient(port, key);
const pids = new Map<string, number>([
  ...Object.entries(processes).map(([name, { pid }]): [string, number] => [name, pid!]),
  ['DNS sink', dns.child.pid!],
  ['SMTP sink', smtp.child.pid!],
  ['PostgreSQL', postgresPid],
  [servers.redisName, servers.redisPid],
]);
if (first > 0) {
  const { id: firstId } = await client.post(bodyOf(batchAddresses(first, OTHERS_FROM), 'first', settings));
  while (!isOver(await client.status(firstId))) await delay(100);
  while (values.reuse && !(await isKept(firstId))) await delay(100);
}
const questionsBefore = await countOf(dns.child);
const connectionsBefore = await countOf(smtp.child);
const storedBefore = await storedBytes(database);
const before = new Map([...pids].map(([name, pid]) => [name, cpuMicros(pid)]));
const startedAt = Date.now();
const since = (time = Date.now()): number => (time - startedAt) / 1000;

const { id } = await client.post(body);
const acceptedAfter = since();
const beside = timeSmallBatch();
let status: Status | null = null;
while (status === null || !isOver(status)) {
  await delay(POLL_MS);
  // On a machine that is busy a question may have to be asked again.
  status = await client.status(id).catch(() => null);
}
const completedAfter = since(Date.parse(status.completed_at));
const besideSeconds = await beside;
const cpu = new Map([...pids].map(([name, pid]) => [name, (cpuMicros(pid) - before.get(name)!) / count]));
const questions = (await countOf(dns.child)) - questionsBefore;
const connections = (await countOf(smtp.child)) - connectionsBefore;
const summaryBegins = since();
await client.summary(id);
const summarySeconds = since() - summaryBegins;
const downloadBegins = since();
const csvBytes = await client.discard(id, 'format=csv');
const downloadSeconds = since() - downloadBegins;
const wrong = countWrong(await client.csv(id), addresses);

console.log(`${count} addresses, ${values.workers} workers, ${values.plain ? 'plain' : 'STARTTLS'}: ${status.status}`);
console.log(`accepted after ${acceptedAfter.toFixed(2)} s, completed after ${completedAfter.toFixed(2)} s`);
console.log(`${Math.round(count / completedAfter)} addresses/s from POST to completed`);
console.log(
  `CSV of ${(csvBytes / 1e6).toFixed(0)} MB in ${downloadSeconds.toFixed(2)} s; rows that are wrong or missing: ${wrong}`,
);
console.log(`summary, asked for within ${POLL_MS} ms of the end, after ${summarySeconds.toFixed(2)} s`);
console.log(`counts ${JSON.stringify(status.counts)}, credits charged ${status.credits_charged}`);
console.log(
  `${(questions / count).toFixed(3)} DNS questions and ${(connections / count).toFixed(3)} connections an address`,
);
console.log(
  `stored: ${(((await storedBytes(database)) - storedBefore) / count).toFixed(1)} bytes an address, the address itself among them`,
);
console.log(`25 addresses of another account, sent 3 s later, took ${besideSeconds.toFixed(2)} s\n`);
console.log('process         µs of CPU an address   peak MB');
const total = [...cpu.values()].reduce((sum, micros) => sum + micros, 0);
for (const [name, micros] of cpu)
  console.log(`${name.padEnd(16)}${micros.toFixed(1).padStart(12)}${String(peakRssMb(pids.get(name)!)).padStart(18)}`);

console.log(`together${total.toFixed(1).padStart(20)}`);

if (profile !== null) await Promise.all(Object.values(processes).map(endInGoodOrder));
for (const child of Object.values(processes)) child.kill('SIGKILL');
const bare = await measureBareParts({
  database,
  postgresPid,
  folder: servers.postgresFolder,
  smtpPort: smtp.port,
  starttls: !values.plain,
  addresses: count,
});
console.log('\nbare part                                             addresses/s   µs of CPU');
for (const { what, addressesPerSecond, cpuMicrosPerAddress } of bare)
  console.log(
    what.padEnd(52) +
      Math.round(addressesPerSecond).toString().padStart(13) +
      cpuMicrosPerAddress.toFixed(2).padStart(12),
  );
await servers.stop();
// The sinks go with it.
process.exit();

/** Whether the sweep has kept all verdicts of a batch. */
async function isKept(id: number): Promise<boolean> {
  const { rows } = await database.query<{ is_kept: boolean }>(
    'SELECT kept_from IS NULL AS is_kept FROM batches WHERE id = $1',
    [id],
  );
  return rows[0]!.is_kept;
}

/** From POST to `completed` beside the large one, in seconds. */
async function timeSmallBatch(): Promise<number> {
  const other = batchClient(port, await newKey(database, 25));
  await delay(3_000);
  const sentAt = performance.now();
  const { id: small } = await other.submit(batchAddresses(25));
  while (!isOver(await other.status(small))) await delay(50);
  return (performance.now() - sentAt) / 1000;
}

async function countOf(sink: ChildProcess): Promise<number> {
  sink.send('count');
  const [count] = (await once(sink, 'message')) as [number];
  return count;
}
