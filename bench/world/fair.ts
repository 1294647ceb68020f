import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { batchClient, isOver, newKey } from '../batch/world.js';
import { startInstallation } from './installation.js';
import { quietDomains } from './mail-world.js';

/*
 * Accounts with large lists at one operator within its real caps, and one further account that sends small lists elsewhere meanwhile.
 * Small lists must not notice the large ones, and the operator's turns must go to the accounts evenly.
 */
const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    accounts: { type: 'string', default: '6' },
    addresses: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '60' },
    every: { type: 'string', default: '3' },
    workers: { type: 'string', default: '1,2' },
    latency: { type: 'string', default: '20' },
    domain: { type: 'string', default: 'outlook.com' },
  },
});
if (values.help) {
  console.log(
    `npm run bench:fair -- [--accounts 6] [--addresses 5000] [--seconds 60] [--every 3] [--workers 1,2] [--latency 20] [--domain outlook.com]

So many accounts send so many addresses each to one domain; another one sends 25 addresses elsewhere every few seconds for so many
seconds. Runs once with each number of workers; each run ends a minute after the last small list at the latest.`,
  );
  process.exit();
}
const SMALL = 25;
const PATIENCE_MS = 60_000;
const POLL_MS = 25;
const accounts = Number(values.accounts);
const addresses = Number(values.addresses);
const everyMs = Number(values.every) * 1000;
const lists = Math.ceil((Number(values.seconds) * 1000) / everyMs);

for (const workers of values.workers.split(',')) await run(Number(workers));
process.exit();

async function run(workers: number): Promise<void> {
  const world = await startInstallation(workers, Number(values.latency));
  const alone = await newKey(world.database, SMALL * (lists + 1));
  const small = batchClient(world.port, alone);
  const domains = quietDomains();
  /** From POST until it is known as completed; the patience when it was not. In milliseconds. */
  const complete = async (name: string): Promise<number> => {
    const emails = Array.from({ length: SMALL }, (_, i) => `ok.user${i}@${domains.next().value}`);
    const sentAt = performance.now();
    const { id } = await small.submit(emails, name);
    for (;;) {
      const ms = performance.now() - sentAt;
      if (ms > PATIENCE_MS || isOver(await small.status(id))) return ms;
      await delay(POLL_MS);
    }
  };
  const before = await complete('warm-up');
  const keys: string[] = [];
  for (let account = 0; account < accounts; account++) keys.push(await newKey(world.database, addresses));
  const large = keys.map((key, account) => {
    const emails = Array.from({ length: addresses }, (_, i) => `ok.a${account}.user${i}@${values.domain}`);
    return batchClient(world.port, key).submit(emails);
  });
  await Promise.all(large);
  const earlier = (await world.seen()).recipients;
  const beside: Promise<number>[] = [];
  for (let list = 0; list < lists; list++) {
    beside.push(complete(`small ${list}`));
    await delay(everyMs);
  }
  const times = (await Promise.all(beside)).sort((a, b) => a - b);
  const later = (await world.seen()).recipients;
  await world.stop();
  const askedOf = (account: number) => (later[`a${account}`] ?? 0) - (earlier[`a${account}`] ?? 0);
  const turns = Array.from({ length: accounts }, (_, account) => askedOf(account)).sort((a, b) => a - b);
  const all = turns.reduce((sum, one) => sum + one, 0);
  const seconds = (ms: number): string => (ms >= PATIENCE_MS ? 'never' : `${(ms / 1000).toFixed(2)} s`);
  console.log(
    `${accounts} accounts × ${addresses} at ${values.domain}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
  );
  console.log(
    `  25 addresses elsewhere, ${lists} times: p50 ${seconds(at(times, 0.5))}, p99 ${seconds(at(times, 0.99))} (target 2 s); before the others came, the first one of the process: ${seconds(before)}`,
  );
  console.log(
    `  the operator was asked about ${all} of theirs once all lists were there: ${turns[0]} to ${turns.at(-1)} an account, median ${at(turns, 0.5)}`,
  );
}

function at(sorted: readonly number[], quantile: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))]!;
}
