import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';

import { runMigrations } from '../../src/platform/database/migrate.js';
import { startPostgres } from '../../src/platform/embedded/postgres.js';
import { startRedis } from '../../src/platform/embedded/redis.js';
import { finishBatch } from './finished-batch.js';
import { cpuMicros, currentRssMb, parentOf, peakRssMb, startService } from './processes.js';
import { countWrong } from './truth.js';
import { batchAddresses } from './workload.js';
import { batchClient, endInGoodOrder, freePort, newKey } from './world.js';

/* The results of a finished batch as files, by a reader that counts the bytes and lets them go; then every row is looked at. */
const { values } = parseArgs({
  options: {
    addresses: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    encoding: { type: 'string', default: 'identity' },
    file: { type: 'string', multiple: true, default: ['format=csv', 'format=ndjson', 'format=csv&verdict=invalid'] },
    profile: { type: 'string' },
  },
});
const count = Number(values.addresses);
const profile = values.profile ?? null;
const silent = (): void => undefined;

const folder = mkdtempSync(join(tmpdir(), 'mailsonde-bench-'));
chmodSync(folder, 0o755); // So that as root the server's user gets to its data.
const postgres = await startPostgres(folder, silent, ['max_connections=100']);
const redis = await startRedis(folder, silent, 16);
await runMigrations(postgres.url, silent);
const database = new pg.Client({ connectionString: postgres.url });
await database.connect();
const key = await newKey(database, count);
const port = await freePort();
const environment = { DATABASE_URL: postgres.url, REDIS_URL: `${redis.url}/1`, ROLE: 'api', PORT: String(port) };
const addresses = [...batchAddresses(count)];

const intake = await startService(environment, null);
const { id } = await batchClient(port, key).submit(addresses);
await endInGoodOrder(intake);
await finishBatch(database, id);

// One that has done nothing else, so that its memory is that of downloads.
const api = await startService(environment, profile);
const client = batchClient(port, key);
const postgresPid = parentOf((await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid);
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
await database.end();
await redis.stop();
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit();
