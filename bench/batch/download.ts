import { parseArgs } from 'node:util';

import { finishBatch } from './finished-batch.js';
import { cpuMicros, currentRssMb, peakRssMb, startService } from './processes.js';
import { countWrong } from './truth.js';
import { batchAddresses } from './workload.js';
import { batchClient, endInGoodOrder, freePort, newKey, startServers } from './world.js';

/* The results of a finished batch as files, by a reader that counts the bytes and lets them go; then every row is looked at. */
const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    addresses: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    encoding: { type: 'string', default: 'identity' },
    file: { type: 'string', multiple: true, default: ['format=csv', 'format=ndjson', 'format=csv&verdict=invalid'] },
    profile: { type: 'string' },
  },
});
if (values.help) {
  console.log(
    'npm run bench:download -- [--addresses 1000000] [--rounds 3] [--encoding identity | gzip] [--file format=csv ...] [--profile folder]',
  );
  process.exit();
}
const count = Number(values.addresses);
const profile = values.profile ?? null;

const servers = await startServers();
const { database, postgresPid } = servers;
const key = await newKey(database, count);
const port = await freePort();
const environment = { ...servers.environment, ROLE: 'api', PORT: String(port) };
const addresses = [...batchAddresses(count)];

const intake = await startService(environment, null);
const { id } = await batchClient(port, key).submit(addresses);
await endInGoodOrder(intake);
await finishBatch(database, id);

// One that has done nothing else, so that its memory is that of downloads.
const api = await startService(environment, profile);
const client = batchClient(port, key);
console.log(`${count} rows; the api has ${currentRssMb(api.pid!)} MB\n`);
console.log(
  'file                              MB  seconds   MB/s   µs of CPU a row: api  PostgreSQL  reader   most MB of api',
);
for (const file of values.file)
  for (let round = 0; round < Number(values.rounds); round++) {
    const spent = () => [
      cpuMicros(api.pid!),
      cpuMicros(postgresPid),
      process.cpuUsage().user + process.cpuUsage().system,
    ];
    const before = spent();
    const startedAt = performance.now();
    const bytes = await client.discard(id, file, values.encoding);
    const seconds = (performance.now() - startedAt) / 1000;
    const micros = spent().map((micros, i) => (micros - before[i]!) / count);
    console.log(
      file.padEnd(28) +
        (bytes / 1e6).toFixed(1).padStart(8) +
        seconds.toFixed(2).padStart(9) +
        (bytes / 1e6 / seconds).toFixed(1).padStart(7) +
        micros[0]!.toFixed(2).padStart(22) +
        micros[1]!.toFixed(2).padStart(12) +
        micros[2]!.toFixed(2).padStart(8) +
        String(peakRssMb(api.pid!)).padStart(17),
    );
  }
console.log(`\nrows that are wrong or missing: ${countWrong(await client.csv(id), addresses)}`);

await endInGoodOrder(api);
await servers.stop();
process.exit();
