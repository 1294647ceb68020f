import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { finishBatch } from './finished-batch.js';
import { startService } from './processes.js';
import { batchAddresses } from './workload.js';
import { batchClient, endInGoodOrder, freePort, newKey, startServers } from './world.js';

/* Pages of 50 rows of a large list beside those of a list of 100, in turns; a worker has put the large one in order. */
const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    addresses: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '100' },
  },
});
if (values.help) {
  console.log('npm run bench:pages -- [--addresses 1000000] [--rounds 100]');
  process.exit();
}
const count = Number(values.addresses);
const rounds = Number(values.rounds);
const WARM_UP = 20;

const servers = await startServers();
const { database } = servers;
const key = await newKey(database, count + 100);
const port = await freePort();
const api = await startService({ ...servers.environment, ROLE: 'api', PORT: String(port) }, null);
const client = batchClient(port, key);
const { id: large } = await client.submit(batchAddresses(count));
const { id: small } = await client.submit(batchAddresses(100));
for (const id of [large, small]) await finishBatch(database, id);
const worker = await startService({ ...servers.environment, ROLE: 'worker' }, null);
const startedAt = performance.now();
while (!(await isOrdered())) await delay(200);
console.log(
  `${count} rows were in order ${((performance.now() - startedAt) / 1000).toFixed(1)} s after the worker began`,
);
await endInGoodOrder(worker);

const at = (row: number) => `&cursor=${Buffer.from(`results-of-${large} ${row}`).toString('base64url')}`;
const somewhere = () => at(Math.floor(Math.random() * (count - 50)));
const pages: Readonly<Record<string, () => string>> = {
  'the list of 100': () => `/${small}/results?limit=50`,
  start: () => `/${large}/results?limit=50`,
  somewhere: () => `/${large}/results?limit=50${somewhere()}`,
  end: () => `/${large}/results?limit=50${at(count - 50)}`,
  'a reason that no row has': () => `/${large}/results?limit=50&reason=port25_blocked`,
  'an operator that no row has': () => `/${large}/results?limit=50&provider=nobody`,
  'a domain that no row has': () => `/${large}/results?limit=50&domain=nobody.example`,
};
const taken = new Map<string, number[]>();
for (let round = -WARM_UP; round < rounds; round++)
  for (const [name, path] of Object.entries(pages)) {
    const sentAt = performance.now();
    await client.read(path());
    if (round >= 0) taken.set(name, [...(taken.get(name) ?? []), performance.now() - sentAt]);
  }
console.log('page                            shortest   median ms   ÷ the list of 100');
const medianOf = (all: readonly number[]) => all.toSorted((one, other) => one - other)[all.length >> 1]!;
const base = medianOf(taken.get('the list of 100')!);
for (const [name, all] of taken)
  console.log(
    name.padEnd(30) +
      Math.min(...all)
        .toFixed(1)
        .padStart(10) +
      medianOf(all).toFixed(1).padStart(12) +
      (medianOf(all) / base).toFixed(2).padStart(20),
  );

await endInGoodOrder(api);
await servers.stop();
process.exit();

async function isOrdered(): Promise<boolean> {
  const { rows } = await database.query<{ is_ordered: boolean }>('SELECT is_ordered FROM batches WHERE id = $1', [
    large,
  ]);
  return rows[0]!.is_ordered;
}
