import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { cpuMicros, startService, startSink } from '../batch/processes.js';
import { batchAddresses } from '../batch/workload.js';
import { batchClient, bodyOf, freePort, isOver, newKey, startServers } from '../batch/world.js';
import type { Outcome } from '../single/callers.js';
import type { Asked, CostOfCounting } from './counting-switch.js';

/*
 * What metrics cost: an api and a worker of which counting is turned off and on between pieces of the same work (A B B A), so that what else
 * this machine does meets both, and both are the same processes: two that were started alike differ by more than what is measured here. The
 * ratio of each pair, its median, and a bootstrap interval are told; a scrape is told apart.
 */
const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    pairs: { type: 'string', default: '40' },
    addresses: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '1.5' },
  },
});
if (values.help) {
  console.log(
    'npm run bench:metrics -- [--pairs 40] [--addresses 20000] [--seconds 1.5]\n\n' +
      'What metrics cost: counting turned off and on between pieces of the same work of one api and one worker.',
  );
  process.exit();
}
const pairs = Number(values.pairs);
const count = Number(values.addresses);
const CREDITS = 1_000_000_000;
const ACCOUNTS = 32;
const CALLERS = 16;
const RESAMPLES = 10_000;
const SCRAPES = 40;

/** Requests and addresses until now. */
let units = 0;

const dns = await startSink('../batch/dns-sink.js');
const smtp = await startSink('../smtp/sink.js', ['0', 'starttls']);
const callers = fork(new URL('../single/callers.js', import.meta.url));
const installation = await startInstallation();

for (const [what, piece, warm] of [
  ['single verifications', single, 6],
  ['batches', batch, 4],
] as const) {
  for (let i = 0; i < 2 * warm; i++) await piece();
  const ratios: number[] = [];
  const [on, off]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < pairs; pair++) {
    for (const isCounting of pair % 2 === 0 ? [true, false] : [false, true]) {
      await installation.ask(isCounting);
      (isCounting ? on : off).push(await piece());
    }
    ratios.push(on.at(-1)! / off.at(-1)! - 1);
  }
  const [least, most] = interval(ratios);
  console.log(
    `${what}: ${median(off).toFixed(1)} µs of CPU without, ${median(on).toFixed(1)} with metrics; of ${pairs} pairs the median is ${percent(median(ratios))} (95%: ${percent(least)} to ${percent(most)})`,
  );
  await installation.ask(true);
  const [unitsBefore, costsBefore] = [units, await installation.ask('cost')];
  for (let i = 0; i < warm; i++) await piece();
  const costs = await installation.ask('cost');
  const each = costs.map(({ calls, micros }, i) => ({
    calls: (calls - costsBefore[i]!.calls) / (units - unitsBefore),
    micros,
  }));
  const counting = each.reduce((sum, { calls, micros }) => sum + calls * micros, 0);
  console.log(
    `  counted ${each.map(({ calls, micros }) => `${calls.toFixed(2)} times of ${micros.toFixed(2)} µs`).join(' by the api, ')} by the worker for each: ${counting.toFixed(2)} µs, ${percent(counting / median(off))} of what it costs without`,
  );
}
const beforeScrapes = installation.cpu();
for (let i = 0; i < SCRAPES; i++) await installation.scrape();
const scrapeMs = (installation.cpu() - beforeScrapes) / 1_000 / SCRAPES / 2;
console.log(
  `a scrape of one process: ${scrapeMs.toFixed(1)} ms of CPU, ${percent(scrapeMs / 15_000)} of a core where it is scraped every 15 s`,
);
await installation.stop();
process.exit();

async function startInstallation() {
  const servers = await startServers();
  const keys: string[] = [];
  while (keys.length < ACCOUNTS) keys.push(await newKey(servers.database, CREDITS));
  const port = await freePort();
  const metricsPorts = [await freePort(), await freePort()];
  const environment = {
    ...servers.environment,
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    DNS_KNOWN_DOMAINS: 'd0.example.com',
    SMTP_PORT: String(smtp.port),
    MX_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const options = ['--import', new URL('./counting-switch.js', import.meta.url).href];
  const start = (role: Record<string, string>, number: number): Promise<ChildProcess> =>
    startService({ ...environment, ...role, METRICS_PORT: String(metricsPorts[number]) }, null, options);
  const children = [await start({ ROLE: 'api', PORT: String(port) }, 0), await start({ ROLE: 'worker' }, 1)];
  return {
    port,
    keys,
    /** CPU of both processes. */
    cpu: () => children.reduce((sum, { pid }) => sum + cpuMicros(pid!), 0),
    ask: async (asked: Asked): Promise<CostOfCounting[]> => {
      const answers: CostOfCounting[] = [];
      for (const child of children) {
        const answer = once(child, 'message');
        child.send(asked);
        answers.push(((await answer) as [CostOfCounting])[0]);
      }
      return answers;
    },
    scrape: () =>
      Promise.all(metricsPorts.map(async (each) => (await fetch(`http://127.0.0.1:${each}/metrics`)).text())),
    stop: async () => {
      for (const child of children) child.kill('SIGKILL');
      await servers.stop();
    },
  };
}

/** @returns µs of CPU a request */
async function single(): Promise<number> {
  const before = installation.cpu();
  const { port, keys: tokens } = installation;
  callers.send({ port, tokens, callers: CALLERS, seconds: Number(values.seconds), domains: 200 });
  const [{ requests }] = (await once(callers, 'message')) as [Outcome];
  units += requests;
  return (installation.cpu() - before) / requests;
}

/** @returns µs of CPU an address */
async function batch(): Promise<number> {
  const client = batchClient(installation.port, installation.keys[0]!);
  const body = bodyOf(batchAddresses(count));
  const before = installation.cpu();
  const { id } = await client.post(body);
  while (!isOver(await client.status(id))) await delay(100);
  units += count;
  return (installation.cpu() - before) / count;
}

/** Of the median, by drawing pairs again and again. */
function interval(ratios: readonly number[]): readonly [number, number] {
  const medians = Array.from({ length: RESAMPLES }, () =>
    median(ratios.map(() => ratios[Math.floor(Math.random() * ratios.length)]!)),
  ).sort((a, b) => a - b);
  return [medians[Math.floor(RESAMPLES * 0.025)]!, medians[Math.floor(RESAMPLES * 0.975)]!];
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function percent(ratio: number): string {
  return `${ratio >= 0 ? '+' : ''}${(100 * ratio).toFixed(1)}%`;
}
