import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';

import { cpuMicros, peakRssMb } from '../batch/processes.js';
import { batchClient, isOver, newKey, type Status } from '../batch/world.js';
import type { Measured } from '../smtp/workload.js';
import { startInstallation } from './installation.js';
import { type Caps, worldAddresses } from './mail-world.js';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    addresses: { type: 'string', default: '20000' },
    workers: { type: 'string', default: '2' },
    latency: { type: 'string', default: '20' },
    caps: { type: 'string', default: 'none' },
    seconds: { type: 'string', default: '150' },
    sample: { type: 'string', default: '3000' },
    plain: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
if (values.help || !['real', 'none'].includes(values.caps)) {
  console.log(
    `npm run bench:world -- [--addresses 20000] [--workers 2] [--latency 20] [--caps none|real] [--seconds 150] [--sample 3000] [--plain]

A batch of addresses at ten operators of unequal size and over a long tail, most hosts with STARTTLS, some without PIPELINING, some
that greylist, refuse us or accept every name; every verdict is compared with the truth.
--latency: milliseconds to every mail host
--caps real: operators have the names of config/mail-providers.json, and the caps of its rows (Outlook.com: 12.5 addresses/s)
--caps none: they have names that nobody knows, and the default caps
--seconds: bound; what is not completed by then is told and not compared
--sample: addresses of the list that the one-connection dialogue asks about
--plain: no host offers STARTTLS`,
  );
  process.exit(values.help ? 0 : 1);
}
const count = Number(values.addresses);
const caps = values.caps as Caps;
const list = [...worldAddresses(count, caps)];
const putOff = list.filter(({ isPutOff }) => isPutOff).length;

const world = await startInstallation(Number(values.workers), Number(values.latency), {
  profile: values.profile ?? null,
  isPlain: values.plain,
});
const client = batchClient(world.port, await newKey(world.database, count));
const before = new Map([...world.pids].map(([name, pid]) => [name, cpuMicros(pid)]));
const startedAt = performance.now();
const since = (): number => (performance.now() - startedAt) / 1000;
const { id } = await client.submit(list.map(({ email }) => email));

const POLL_MS = 100;
let status: Status = await client.status(id);
/** When only those were left whose hosts want us to come again. */
let firstPassSeconds: number | null = null;
while (!isOver(status) && since() < Number(values.seconds)) {
  await delay(POLL_MS);
  status = await client.status(id);
  if (status.processed >= count - putOff) firstPassSeconds ??= since();
}
const seconds = since();
const cpu = new Map([...world.pids].map(([name, pid]) => [name, (cpuMicros(pid) - before.get(name)!) / count]));
const questions = await world.questions();
const seen = await world.seen();
const wrong = isOver(status) ? compare(await client.csv(id)) : null;
const peaks = new Map([...world.pids].map(([name, pid]) => [name, peakRssMb(pid)]));
await world.endServices();
const dialogue = await oneConnectionDialogue();
await world.stop();

const pace = firstPassSeconds === null ? status.processed / seconds : (count - putOff) / firstPassSeconds;
console.log(
  `${count} addresses, caps ${caps}, ${values.latency} ms, ${values.plain ? 'plain' : 'STARTTLS'}, ${values.workers} workers: ${status.status}`,
);
console.log(`${status.processed} processed after ${seconds.toFixed(1)} s, ${putOff} at hosts that put us off`);
if (firstPassSeconds !== null) console.log(`all others after ${firstPassSeconds.toFixed(1)} s`);
console.log(`rows that are wrong or missing: ${wrong === null ? 'not compared' : wrong.size}`);
for (const line of [...(wrong ?? [])].slice(0, 5)) console.log(`  ${line}`);
console.log(
  `${(seen.connections / count).toFixed(3)} connections (${(seen.handshakes / count).toFixed(3)} with TLS, ${(seen.resumed / count).toFixed(3)} resumed) and ${(questions / count).toFixed(3)} DNS questions an address\n`,
);
console.log('process         µs of CPU an address   peak MB');
for (const [name, micros] of cpu)
  console.log(`${name.padEnd(16)}${micros.toFixed(1).padStart(12)}${String(peaks.get(name)).padStart(18)}`);
console.log(
  `together${[...cpu.values()]
    .reduce((sum, micros) => sum + micros, 0)
    .toFixed(1)
    .padStart(20)}\n`,
);
console.log('                                      addresses/s   µs of CPU');
console.log(`the batch, without those put off      ${Math.round(pace).toString().padStart(11)}`);
console.log(
  `one-connection dialogue, 100 at once  ${Math.round(dialogue.addressesPerSecond).toString().padStart(11)}${dialogue.cpuMicrosPerAddress.toFixed(0).padStart(12)}`,
);
console.log(`ratio                                 ${(pace / dialogue.addressesPerSecond).toFixed(2).padStart(11)}`);
process.exit(wrong === null || wrong.size > 0 ? 1 : 0);

/** @returns what is wrong, by row */
function compare(csv: string): Set<string> {
  const lines = csv.trimEnd().split(/\r?\n/);
  const columns = lines[0]!.split(',');
  const at = (line: string | undefined, column: string) => line?.split(',')[columns.indexOf(column)];
  const found = list.map(({ email, verdict }, i) => {
    const line = lines[i + 1];
    if (at(line, 'email') === email && at(line, 'verdict') === verdict) return null;
    return `${email} is ${verdict}, not ${at(line, 'verdict')} (${at(line, 'reason')})`;
  });
  return new Set(found.filter((line) => line !== null));
}

async function oneConnectionDialogue(): Promise<Measured> {
  const file = new URL('dialogue.js', import.meta.url).pathname;
  const options = [file, String(world.smtpPort), String(count), caps, values.sample];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  return JSON.parse(stdout) as Measured;
}
