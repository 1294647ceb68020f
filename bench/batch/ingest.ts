import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import { XLSX } from '../../src/batch/formats/workbook-reader.js';
import { workbookOf } from '../../test/support/workbooks.js';
import { cpuMicros, peakRssMb, startService } from './processes.js';
import { batchAddresses } from './workload.js';
import { endInGoodOrder, freePort, newKey, postBatch, startServers, storedBytes } from './world.js';

const FORMATS = ['json', 'gzip', 'lines', 'ndjson', 'csv', 'xlsx'] as const;
type Format = (typeof FORMATS)[number];

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    addresses: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    format: { type: 'string', default: 'json' },
    profile: { type: 'string' },
  },
});
if (values.help) {
  console.log(
    `npm run bench:ingest -- [--addresses 1000000] [--rounds 3] [--format ${FORMATS.join(' | ')} | all] [--profile folder]`,
  );
  process.exit();
}
const count = Number(values.addresses);
const rounds = Number(values.rounds);
const formats = values.format === 'all' ? FORMATS : FORMATS.filter((format) => format === values.format);
const preload = new URL('./loop-delay.js', import.meta.url).href;

const servers = await startServers();
const { database, postgresPid } = servers;
const key = await newKey(database, count * rounds * formats.length);

console.log(`${count} addresses until 201, ${rounds} times after one another`);
console.log(
  '            bytes      s   api µs   PostgreSQL µs   idle MB   most MB   longest turn ms   of its own CPU ms',
);
const port = await freePort();
const environment = { ...servers.environment, ROLE: 'api', PORT: String(port) };
const api = await startService(environment, values.profile ?? null, ['--import', preload]);
for (const format of formats) await measure(format, api, port, format);
console.log(`stored: ${((await storedBytes(database)) / count / rounds / formats.length).toFixed(1)} bytes an address`);
await endInGoodOrder(api);

const bare = fork(new URL('./bare-intake.js', import.meta.url), [servers.environment.DATABASE_URL], {
  execArgv: ['--import', preload],
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
const [line] = (await once(bare.stdout!, 'data')) as [Buffer];
await measure('bare', bare, Number(line.toString()), 'json');
bare.kill('SIGKILL');

await servers.stop();
process.exit();

async function measure(name: string, child: ChildProcess, port: number, format: Format): Promise<void> {
  const body = bodyOf(format);
  for (let round = 0; round < rounds; round++) {
    // Nothing of the last round is still on its way to the disk.
    await database.query('CHECKPOINT');
    const pid = child.pid!;
    const idle = rssMb(pid);
    const before = [cpuMicros(pid), cpuMicros(postgresPid)] as const;
    forgetPeak(pid);
    child.send('reset');
    const startedAt = performance.now();
    await post(port, format, body);
    const seconds = (performance.now() - startedAt) / 1000;
    const [apiMicros, postgresMicros] = [cpuMicros(pid) - before[0], cpuMicros(postgresPid) - before[1]];
    child.send('delay');
    const [{ longestMs, longestOwnMs }] = (await once(child, 'message')) as [
      { longestMs: number; longestOwnMs: number },
    ];
    const cells = [
      body.length,
      seconds.toFixed(2),
      (apiMicros / count).toFixed(2),
      (postgresMicros / count).toFixed(2),
    ];
    const widths = [11, 7, 9, 16, 10, 10, 14, 18];
    const all = [...cells, idle, peakRssMb(pid), longestMs.toFixed(1), longestOwnMs.toFixed(1)];
    console.log(name.padEnd(6) + all.map((cell, i) => String(cell).padStart(widths[i]!)).join(''));
  }
}

function bodyOf(format: Format): Buffer {
  const addresses = [...batchAddresses(count)];
  if (format === 'lines') return Buffer.from(`${addresses.join('\n')}\n`);
  if (format === 'ndjson') return Buffer.from(addresses.map((email) => `{"email":"${email}"}\n`).join(''));
  if (format === 'csv')
    return Buffer.from(`name,email\n${addresses.map((email, i) => `Person ${i},${email}\n`).join('')}`);
  if (format === 'xlsx')
    return workbookOf({
      sheets: [{ rows: [['name', 'email'], ...addresses.map((email, i) => [`Person ${i}`, email])] }],
    });
  const json = Buffer.from(JSON.stringify({ name: 'bench', emails: addresses }));
  return format === 'gzip' ? gzipSync(json) : json;
}

async function post(port: number, format: Format, body: Buffer): Promise<void> {
  const types = { json: 'application/json', gzip: 'application/json', lines: 'text/plain' };
  const type = { ...types, ndjson: 'application/x-ndjson', csv: 'text/csv', xlsx: XLSX }[format];
  await postBatch(port, key, body, {
    'content-type': type,
    ...(format === 'gzip' && { 'content-encoding': 'gzip' }),
  });
}

function rssMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);
}

/** From now on the kernel counts the peak anew (proc(5), clear_refs). */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
